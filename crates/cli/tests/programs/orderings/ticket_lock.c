// A ticket lock.
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

#ifndef TAKE
#define TAKE memory_order_relaxed
#endif
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif

atomic_uint next, owner;
int data;

static void *increment(void *unused) {
    // To draw a ticket may be relaxed: no two draw the same, and the owner is what is waited for.
    unsigned ticket = atomic_fetch_add_explicit(&next, 1, TAKE);
    while (atomic_load_explicit(&owner, ACQUIRE) != ticket)
        ;
    data++;
    atomic_store_explicit(&owner, ticket + 1, RELEASE);
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
