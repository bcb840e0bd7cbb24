// A binary search tree with insertion, removal, traversals and depth.
#include <stdio.h>
#include <stdlib.h>

struct tree { int key; struct tree *child[2]; };

static void insert(struct tree **t, int key) {
    while (*t && (*t)->key != key) t = &(*t)->child[key > (*t)->key];
    if (*t) return;
    *t = calloc(1, sizeof **t);
    (*t)->key = key;
}

static void removal(struct tree **t, int key) {
    while (*t && (*t)->key != key) t = &(*t)->child[key > (*t)->key];
    if (!*t) return;
    struct tree *old = *t;
    if (!old->child[0]) *t = old->child[1];
    else if (!old->child[1]) *t = old->child[0];
    else {
        struct tree **next = &old->child[1];
        while ((*next)->child[0]) next = &(*next)->child[0];
        struct tree *n = *next;
        *next = n->child[1];
        n->child[0] = old->child[0], n->child[1] = old->child[1];
        *t = n;
    }
    free(old);
}

static int depth(const struct tree *t) {
    if (!t) return 0;
    int l = depth(t->child[0]), r = depth(t->child[1]);
    return 1 + (l > r ? l : r);
}

static void print(const struct tree *t) {
    if (!t) { printf("."); return; }
    printf("(");
    print(t->child[0]);
    printf("%d", t->key);
    print(t->child[1]);
    printf(")");
}

static void release(struct tree *t) {
    if (!t) return;
    release(t->child[0]), release(t->child[1]);
    free(t);
}

int main(void) {
    struct tree *root = NULL;
    int keys[] = {50, 30, 70, 20, 40, 60, 80, 35, 45, 65, 30};
    for (int i = 0; i < 11; i++) insert(&root, keys[i]);
    print(root);
    printf(" %d\n", depth(root));
    int gone[] = {20, 30, 50, 99, 70};
    for (int i = 0; i < 5; i++) removal(&root, gone[i]), print(root), printf(" %d\n", depth(root));
    release(root);
    return 0;
}
