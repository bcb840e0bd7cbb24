// pthread-ext: a lock for readers and a writer by counts; broken if a reader enters while a writer is inside.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DBROKEN
// verdict: bug
#include "verifier.h"
static int w, r, x, y;
static void __VERIFIER_atomic_take_write(void) {
    __VERIFIER_assume(w == 0 && r == 0);
    w = 1;
}
static void __VERIFIER_atomic_take_read(void) {
#ifndef BROKEN
    __VERIFIER_assume(w == 0);
#endif
    r++;
}
static void __VERIFIER_atomic_give_read(void) { r--; }
static void __VERIFIER_atomic_set(int *p, int v) { *p = v; }
static int __VERIFIER_atomic_get(int *p) { return *p; }
static void *writer(void *arg) {
    __VERIFIER_atomic_take_write();
    __VERIFIER_atomic_set(&x, 3);
    __VERIFIER_atomic_set(&w, 0);
    return 0;
}
static void *reader(void *arg) {
    __VERIFIER_atomic_take_read();
    int l = __VERIFIER_atomic_get(&x);
    __VERIFIER_atomic_set(&y, l);
    check(__VERIFIER_atomic_get(&y) == __VERIFIER_atomic_get(&x));
    __VERIFIER_atomic_give_read();
    return 0;
}
TWO_THREADS(writer, reader)
