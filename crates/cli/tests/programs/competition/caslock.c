// libvsync-like: a lock by compare and exchange with the orderings that it needs, and with one too weak.
// check: --property unreach-call --memory-model rc11
// verdict: verified
// check: --property no-data-race --memory-model rc11
// verdict: verified
// check: --property no-data-race --memory-model rc11 -DRELEASE=memory_order_relaxed
// verdict: bug
// check: --property no-data-race --memory-model rc11 -DACQUIRE=memory_order_relaxed
// verdict: bug
#include "verifier.h"
#include <stdatomic.h>
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
static atomic_int lock;
static int shared;
static void acquire(void) {
    int expected = 0;
    while (!atomic_compare_exchange_weak_explicit(&lock, &expected, 1, ACQUIRE, memory_order_relaxed))
        expected = 0;
}
static void *thread(void *arg) {
    acquire();
    shared++;
    atomic_store_explicit(&lock, 0, RELEASE);
    return 0;
}
#undef AT_END
#define AT_END check(shared == 2)
TWO_THREADS(thread, thread)
