// A spin lock that is taken by an exchange.
// check:
// verdict: verified
// check: -DACQUIRE=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DRELEASE=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

atomic_int held;
int data;

static void *increment(void *unused) {
    while (atomic_exchange_explicit(&held, 1, ACQUIRE))
        ;
    data++;
    atomic_store_explicit(&held, 0, RELEASE);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, (void *)0);
    pthread_create(&b, 0, increment, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2);
    return 0;
}
