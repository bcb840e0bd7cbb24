// A stack whose pop is fooled by a node that has been taken and put back.
// check: --memory-model=sc
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { int key; struct node *next; };
static struct node *_Atomic top;
static struct node nodes[3];

static struct node *pop(void) {
    struct node *old, *next;
    for (int i = 0; i < 2; i++) {
        old = top;
        if (!old) return NULL;
        next = old->next;
        if (atomic_compare_exchange_strong(&top, &old, next)) return old;
    }
    return NULL;
}

static void push(struct node *n) {
    n->next = top;
    atomic_store(&top, n);
}

static void *one(void *arg) { pop(); return NULL; }
static void *two(void *arg) {
    struct node *a = pop();
    struct node *b = pop();
    if (a && b) { b->key = -1; push(a); }
    return NULL;
}

int main(void) {
    nodes[0] = (struct node){0, &nodes[1]};
    nodes[1] = (struct node){1, &nodes[2]};
    nodes[2] = (struct node){2, NULL};
    top = &nodes[0];
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (struct node *n = top; n; n = n->next) assert(n->key >= 0);
}
