// Data that is published by a flag.
// check:
// verdict: verified
// check: -DRELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

int data;
atomic_int ready;

static void *publish(void *unused) {
    data = 42;
    atomic_store_explicit(&ready, 1, RELEASE);
    return 0;
}

static void *look(void *unused) {
    if (atomic_load_explicit(&ready, ACQUIRE))
        assert(data == 42);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, publish, (void *)0);
    pthread_create(&b, 0, look, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
