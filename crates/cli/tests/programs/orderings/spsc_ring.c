// A ring of two slots with one producer and one consumer.
// check:
// verdict: verified
// check: -DHEAD_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DTAIL_RELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DTAIL_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DHEAD_RELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef HEAD_ACQUIRE
#define HEAD_ACQUIRE memory_order_acquire
#endif
#ifndef TAIL_RELEASE
#define TAIL_RELEASE memory_order_release
#endif
#ifndef TAIL_ACQUIRE
#define TAIL_ACQUIRE memory_order_acquire
#endif
#ifndef HEAD_RELEASE
#define HEAD_RELEASE memory_order_release
#endif

#define ITEMS 3
int slots[2];
atomic_uint head, tail;

static void *produce(void *unused) {
    for (int item = 1; item <= ITEMS; item++) {
        unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
        if (at - atomic_load_explicit(&head, HEAD_ACQUIRE) == 2)
            return 0;
        slots[at % 2] = item;
        atomic_store_explicit(&tail, at + 1, TAIL_RELEASE);
    }
    return 0;
}

static void *consume(void *unused) {
    for (int item = 1; item <= ITEMS; item++) {
        unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
        if (at == atomic_load_explicit(&tail, TAIL_ACQUIRE))
            return 0;
        assert(slots[at % 2] == item);
        atomic_store_explicit(&head, at + 1, HEAD_RELEASE);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, produce, (void *)0);
    pthread_create(&b, 0, consume, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
