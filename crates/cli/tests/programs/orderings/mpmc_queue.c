// A bounded queue with many producers and consumers, in which every slot has a turn.
// check:
// verdict: verified
// check: -DFREE_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DFILL_RELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DFULL_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DEMPTY_RELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef FREE_ACQUIRE
#define FREE_ACQUIRE memory_order_acquire
#endif
#ifndef FILL_RELEASE
#define FILL_RELEASE memory_order_release
#endif
#ifndef FULL_ACQUIRE
#define FULL_ACQUIRE memory_order_acquire
#endif
#ifndef EMPTY_RELEASE
#define EMPTY_RELEASE memory_order_release
#endif
#ifndef CLAIM
#define CLAIM memory_order_relaxed
#endif

#define SLOTS 2
struct slot {
    atomic_uint turn;
    int item;
} slots[SLOTS];
atomic_uint first, last;

static int push(int item) {
    unsigned at = atomic_load_explicit(&last, memory_order_relaxed);
    struct slot *slot = &slots[at % SLOTS];
    if (atomic_load_explicit(&slot->turn, FREE_ACQUIRE) != at)
        return 0;
    // To claim a slot may be relaxed: its turn is what is waited for.
    if (!atomic_compare_exchange_strong_explicit(&last, &at, at + 1, CLAIM, memory_order_relaxed))
        return 0;
    slot->item = item;
    atomic_store_explicit(&slot->turn, at + 1, FILL_RELEASE);
    return 1;
}

static int pop(void) {
    unsigned at = atomic_load_explicit(&first, memory_order_relaxed);
    struct slot *slot = &slots[at % SLOTS];
    if (atomic_load_explicit(&slot->turn, FULL_ACQUIRE) != at + 1)
        return 0;
    if (!atomic_compare_exchange_strong_explicit(&first, &at, at + 1, CLAIM, memory_order_relaxed))
        return 0;
    int item = slot->item;
    atomic_store_explicit(&slot->turn, at + SLOTS, EMPTY_RELEASE);
    return item;
}

static void *produce(void *unused) {
    push(2);
    push(3);
    return 0;
}

static void *consume(void *unused) {
    int item = pop();
    assert(item >= 0 && item <= 3);
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    for (unsigned i = 0; i < SLOTS; i++)
        atomic_init(&slots[i].turn, i);
    push(1);
    pthread_create(&a, 0, produce, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_create(&c, 0, consume, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
