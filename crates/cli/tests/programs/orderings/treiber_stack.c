// A stack of which only the top is atomic.
// check:
// verdict: verified
// check: -DPUSH=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DLOOK=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DAGAIN=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUSH
#define PUSH memory_order_release
#endif
#ifndef LOOK
#define LOOK memory_order_acquire
#endif
#ifndef AGAIN
#define AGAIN memory_order_acquire
#endif
#ifndef POP
#define POP memory_order_relaxed
#endif

struct node {
    int value;
    struct node *next;
} nodes[2];
_Atomic(struct node *) top;

static void push(struct node *node) {
    node->value = 1;
    struct node *next = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = next;
    while (!atomic_compare_exchange_strong_explicit(&top, &next, node, PUSH, memory_order_relaxed));
}

static struct node *pop(void) {
    struct node *node = atomic_load_explicit(&top, LOOK);
    // To take the top may be relaxed: what is in it was acquired when it was looked at, and who pushes next releases
    // what is his own.
    while (node && !atomic_compare_exchange_strong_explicit(&top, &node, node->next, POP, AGAIN))
        ;
    return node;
}

static void *push_one(void *argument) {
    push(argument);
    return 0;
}

static void *pop_one(void *unused) {
    struct node *node = pop();
    if (node)
        assert(node->value == 1);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, push_one, &nodes[0]);
    pthread_create(&b, 0, push_one, &nodes[1]);
    pthread_create(&c, 0, pop_one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
