// pthread-wmm: store buffering by hand: what is written may lie in a buffer of the writer, which nondeterminism empties.
// check: --property unreach-call -DBUFFERS
// verdict: bug
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DREAL --memory-model tso
// verdict: bug
// check: --property unreach-call -DREAL --memory-model sc
// verdict: verified
#include "verifier.h"
#include <stdatomic.h>
#ifdef REAL
static atomic_int x, y;
static int a, b;
static void *one(void *arg) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}
static void *two(void *arg) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
#else
static int x, y, a, b;
static int buffered_x, is_buffered_x;
static void *one(void *arg) {
    __VERIFIER_atomic_begin();
#ifdef BUFFERS
    if (__VERIFIER_nondet_bool()) {
        buffered_x = 1;
        is_buffered_x = 1;
    } else
#endif
        x = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    a = y;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    if (is_buffered_x)
        x = buffered_x;
    __VERIFIER_atomic_end();
    return 0;
}
static void *two(void *arg) {
    __VERIFIER_atomic_begin();
    y = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    b = x;
    __VERIFIER_atomic_end();
    return 0;
}
#endif
#undef AT_END
#define AT_END check(a || b)
TWO_THREADS(one, two)
