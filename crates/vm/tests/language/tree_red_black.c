// A left-leaning red-black tree; its rules are checked after every insertion.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct node { int key; bool red; struct node *left, *right; } node;

static bool red(const node *n) { return n && n->red; }

static node *rotate_left(node *h) {
    node *x = h->right;
    h->right = x->left, x->left = h, x->red = h->red, h->red = true;
    return x;
}
static node *rotate_right(node *h) {
    node *x = h->left;
    h->left = x->right, x->right = h, x->red = h->red, h->red = true;
    return x;
}

static node *insert(node *h, int key) {
    if (!h) {
        h = malloc(sizeof *h);
        *h = (node){key, true, NULL, NULL};
        return h;
    }
    if (key < h->key) h->left = insert(h->left, key);
    if (key > h->key) h->right = insert(h->right, key);
    if (red(h->right) && !red(h->left)) h = rotate_left(h);
    if (red(h->left) && red(h->left->left)) h = rotate_right(h);
    if (red(h->left) && red(h->right)) h->red = true, h->left->red = h->right->red = false;
    return h;
}

static int black_height(const node *n) {
    if (!n) return 0;
    int left = black_height(n->left), right = black_height(n->right);
    if (left != right || left < 0 || (n->red && (red(n->left) || red(n->right)))) return -1;
    return left + !n->red;
}

static void walk(node *n, int *last, int *count) {
    if (!n) return;
    walk(n->left, last, count);
    if (n->key <= *last) printf("out of order\n");
    *last = n->key, ++*count;
    node *right = n->right;
    free(n);
    walk(right, last, count);
}

int main(void) {
    node *root = NULL;
    unsigned n = 1;
    for (int i = 1; i <= 64; i++, n = n * 75 % 65537) {
        root = insert(root, (int)n);
        root->red = false;
        int height = black_height(root);
        if (i % 8 == 0) printf("%d: height %d, root %d\n", i, height, root->key);
    }
    int last = -1, count = 0;
    walk(root, &last, &count);
    printf("%d %d\n", last, count);
    return 0;
}
