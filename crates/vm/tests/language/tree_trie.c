// A trie over lower-case words, with counts of prefixes.
#include <stdio.h>
#include <stdlib.h>

struct trie { struct trie *next[26]; unsigned ends : 8, passes : 24; };

static struct trie *at(struct trie *t, const char *word) {
    for (; t && *word; word++) t = t->next[*word - 'a'];
    return t;
}

static void add(struct trie *t, const char *word) {
    t->passes++;
    for (; *word; word++) {
        struct trie **next = &t->next[*word - 'a'];
        if (!*next) *next = calloc(1, sizeof **next);
        t = *next;
        t->passes++;
    }
    t->ends++;
}

static void list(const struct trie *t, char *prefix, int depth) {
    if (t->ends) prefix[depth] = '\0', printf("%s*%u ", prefix, t->ends);
    for (int i = 0; i < 26; i++)
        if (t->next[i]) prefix[depth] = (char)('a' + i), list(t->next[i], prefix, depth + 1);
}

static int release(struct trie *t) {
    int n = 1;
    for (int i = 0; i < 26; i++)
        if (t->next[i]) n += release(t->next[i]);
    free(t);
    return n;
}

int main(void) {
    struct trie *root = calloc(1, sizeof *root);
    const char *words[] = {"tea", "ten", "to", "inn", "in", "i", "tea", "team", "a"};
    for (int i = 0; i < 9; i++) add(root, words[i]);
    char prefix[16];
    list(root, prefix, 0);
    printf("\n%u %u %d\n", at(root, "te")->passes, at(root, "i")->passes, at(root, "tex") == NULL);
    printf("%d\n", release(root));
    return 0;
}
