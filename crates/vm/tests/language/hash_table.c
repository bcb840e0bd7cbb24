// A hash table with chains that grows, counting words.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; unsigned hash; int count; char key[]; };
struct table { struct entry **buckets; unsigned size, used; };

static unsigned hash(const char *s, size_t n) {
    unsigned h = 2166136261u;
    while (n--) h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static void grow(struct table *t) {
    unsigned size = t->size ? 2 * t->size : 4;
    struct entry **buckets = calloc(size, sizeof *buckets);
    for (unsigned i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            e->next = buckets[e->hash % size];
            buckets[e->hash % size] = e;
        }
    free(t->buckets);
    t->buckets = buckets, t->size = size;
}

static struct entry *find(struct table *t, const char *s, size_t n) {
    unsigned h = hash(s, n);
    if (t->used >= t->size) grow(t);
    struct entry **e = &t->buckets[h % t->size];
    for (; *e; e = &(*e)->next)
        if ((*e)->hash == h && strlen((*e)->key) == n && memcmp((*e)->key, s, n) == 0) return *e;
    struct entry *new = malloc(sizeof *new + n + 1);
    *new = (struct entry){NULL, h, 0};
    memcpy(new->key, s, n);
    new->key[n] = '\0';
    t->used++;
    return *e = new;
}

int main(void) {
    const char *text = "the cat and the dog and the bird saw a cat that saw the dog ";
    struct table t = {NULL, 0, 0};
    for (const char *p = text, *q; (q = strchr(p, ' ')); p = q + 1) find(&t, p, (size_t)(q - p))->count++;
    printf("%u words in %u buckets\n", t.used, t.size);
    for (unsigned i = 0; i < t.size; i++)
        for (struct entry *e = t.buckets[i], *next; e; e = next) {
            printf("%u %s %d %08x\n", i, e->key, e->count, e->hash);
            next = e->next;
            free(e);
        }
    free(t.buckets);
    return 0;
}
