// libvsync-like: an MCS lock; and one that frees the lock without handing it over to who has come in the meantime: that one
// waits for ever, which is no error of the property, but one of its own.
// check: --property unreach-call
// verdict: verified
// check: --property no-data-race --memory-model rc11
// verdict: verified
// check: --property unreach-call -DBROKEN
// verdict: verified
// check: -DBROKEN
// verdict: bug
#include "verifier.h"
#include <stdatomic.h>
struct node { _Atomic(struct node *) next; atomic_int locked; };
static _Atomic(struct node *) tail;
static struct node nodes[2];
static int shared;
#define ROUNDS 1
static void acquire(struct node *me) {
    atomic_store_explicit(&me->next, 0, memory_order_relaxed);
    atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
    struct node *before = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (before) {
        atomic_store_explicit(&before->next, me, memory_order_release);
        while (atomic_load_explicit(&me->locked, memory_order_acquire))
            ;
    }
}
static void release(struct node *me) {
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
    if (!next) {
#ifdef BROKEN
        /* Whoever has come in the meantime is forgotten, and the lock is free. */
        atomic_store_explicit(&tail, 0, memory_order_release);
        return;
#else
        struct node *expected = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
#endif
    }
    atomic_store_explicit(&next->locked, 0, memory_order_release);
}
static void critical(int me) {
    for (int i = 0; i < ROUNDS; i++) {
        acquire(&nodes[me]);
        int seen = shared;
        shared = seen + 1;
        check(shared == seen + 1);
        release(&nodes[me]);
    }
}
static void *one(void *arg) { critical(0); return 0; }
static void *two(void *arg) { critical(1); return 0; }
#undef AT_END
#define AT_END check(shared == 2 * ROUNDS)
TWO_THREADS(one, two)
