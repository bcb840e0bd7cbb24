// The queue of Michael and Scott, one attempt at each operation.
// check:
// verdict: verified
// check: -DTAIL_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DLINK=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DTAIL_RELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DNEXT_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef TAIL_ACQUIRE
#define TAIL_ACQUIRE memory_order_acquire
#endif
#ifndef LINK
#define LINK memory_order_release
#endif
#ifndef TAIL_RELEASE
#define TAIL_RELEASE memory_order_release
#endif
#ifndef NEXT_ACQUIRE
#define NEXT_ACQUIRE memory_order_acquire
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};
_Atomic(struct node *) head, tail;

static struct node *make(int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    atomic_init(&node->next, 0);
    return node;
}

static void put(int value) {
    struct node *node = make(value), *none = 0;
    struct node *last = atomic_load_explicit(&tail, TAIL_ACQUIRE);
    if (atomic_compare_exchange_strong_explicit(&last->next, &none, node, LINK, memory_order_relaxed))
        atomic_compare_exchange_strong_explicit(&tail, &last, node, TAIL_RELEASE, memory_order_relaxed);
}

static int take(void) {
    struct node *first = atomic_load_explicit(&head, memory_order_relaxed);
    struct node *next = atomic_load_explicit(&first->next, NEXT_ACQUIRE);
    if (!next)
        return 0;
    int value = next->value;
    atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_relaxed, memory_order_relaxed);
    return value;
}

static void *producer(void *unused) {
    put(1);
    return 0;
}

static void *consumer(void *unused) {
    int value = take();
    assert(value == 0 || value == 1);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    struct node *dummy = make(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, producer, 0);
    pthread_create(&c, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
