// pthread-atomic: Peterson's lock with plain variables that atomic sections guard.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DLATE
// verdict: bug
#include "verifier.h"
static int flag[2], turn, x;
static int load(int *p) {
    __VERIFIER_atomic_begin();
    int v = *p;
    __VERIFIER_atomic_end();
    return v;
}
static void store(int *p, int v) {
    __VERIFIER_atomic_begin();
    *p = v;
    __VERIFIER_atomic_end();
}
static void enter(int me) {
#ifdef LATE
    store(&turn, 1 - me);
    store(&flag[me], 1);
#else
    store(&flag[me], 1);
    store(&turn, 1 - me);
#endif
    while (load(&flag[1 - me]) && load(&turn) == 1 - me)
        ;
    store(&x, me);
    check(load(&x) == me);
    store(&flag[me], 0);
}
static void *one(void *arg) { enter(0); return 0; }
static void *two(void *arg) { enter(1); return 0; }
TWO_THREADS(one, two)
