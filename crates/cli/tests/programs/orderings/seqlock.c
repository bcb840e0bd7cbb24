// A sequence lock: odd while the writer is at work.
// check:
// verdict: verified
// check: -DBEGIN_FENCE=memory_order_relaxed
// verdict: bug
// bug: assertion
// check: -DEND_RELEASE=memory_order_relaxed
// verdict: bug
// bug: assertion
// check: -DBEGIN_ACQUIRE=memory_order_relaxed
// verdict: bug
// bug: assertion
// check: -DEND_FENCE=memory_order_relaxed
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef BEGIN_FENCE
#define BEGIN_FENCE memory_order_release
#endif
#ifndef END_RELEASE
#define END_RELEASE memory_order_release
#endif
#ifndef BEGIN_ACQUIRE
#define BEGIN_ACQUIRE memory_order_acquire
#endif
#ifndef END_FENCE
#define END_FENCE memory_order_acquire
#endif

atomic_uint sequence;
atomic_int left, right;

static void *write(void *unused) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 1, memory_order_relaxed);
    atomic_thread_fence(BEGIN_FENCE);
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, before + 2, END_RELEASE);
    return 0;
}

static void *read(void *unused) {
    unsigned before = atomic_load_explicit(&sequence, BEGIN_ACQUIRE);
    int one = atomic_load_explicit(&left, memory_order_relaxed);
    int other = atomic_load_explicit(&right, memory_order_relaxed);
    atomic_thread_fence(END_FENCE);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(one == other);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, write, (void *)0);
    pthread_create(&b, 0, read, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
