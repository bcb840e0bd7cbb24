// Atomic sections inside of another are part of it: it ends with the outermost.
// check:
// verdict: verified
// check: -DIN_FUNCTION
// verdict: verified
// check: -DAPART
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int x;

void __VERIFIER_atomic_outer(void) {
    int before = x;
    __VERIFIER_atomic_begin();
    x = before + 1;
    __VERIFIER_atomic_end();
    assert(x == before + 1);
}

static void *change(void *unused) {
    __VERIFIER_atomic_begin();
    x = x + 2;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
#ifdef IN_FUNCTION
    __VERIFIER_atomic_outer();
#else
    __VERIFIER_atomic_begin();
    int before = x;
    __VERIFIER_atomic_begin();
    x = before + 1;
    __VERIFIER_atomic_end();
#ifdef APART
    __VERIFIER_atomic_end();
#endif
    assert(x == before + 1);
#ifndef APART
    __VERIFIER_atomic_end();
#endif
#endif
    pthread_join(thread, 0);
    return 0;
}
