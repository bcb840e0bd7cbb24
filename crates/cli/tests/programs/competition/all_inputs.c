// Inputs of which all values count, and interleavings that are too many to be explored one by one: a solver decides, with deadlocks
// that are no violations.
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --property unreach-call -DHOLDS
// verdict: verified
// check: --property unreach-call -DHOLDS -DWAITS
// verdict: verified
// check: --property unreach-call -DWAITS
// verdict: bug
// bug: assertion
// check: --property unreach-call -DROUNDS=12 --timeout 30
// verdict: bug
// bug: assertion
#include "verifier.h"
static int a, b;
MUTEX(m);
MUTEX(n);
#ifdef ROUNDS
static void *first(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        __VERIFIER_atomic_begin();
        a = b + 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
static void *second(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        __VERIFIER_atomic_begin();
        b = a + 1;
        __VERIFIER_atomic_end();
    }
    return 0;
}
// The largest number takes that they alternate to the end.
#undef AT_END
#define AT_END check(b != 2 * ROUNDS)
#else
static void *first(void *arg) {
    LOCK(m);
#ifdef WAITS
    LOCK(n);
    UNLOCK(n);
#endif
    a = a * 3 + 7;
    UNLOCK(m);
    return 0;
}
static void *second(void *arg) {
#ifdef WAITS
    LOCK(n);
    LOCK(m);
    UNLOCK(m);
    UNLOCK(n);
#endif
    LOCK(m);
    int input = __VERIFIER_nondet_int();
    if (input > 0 && input < 1000)
        a = input;
    UNLOCK(m);
    return 0;
}
#undef AT_END
#ifdef HOLDS
#define AT_END check(a >= 0 && a < 3007)
#else
#define AT_END check(a != 3 * 577 + 7)
#endif
#endif
TWO_THREADS(first, second)
