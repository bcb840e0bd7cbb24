// A round that stores what it has loaded does something if another thread has stored in between: where data races are no
// failures, the thread goes on after it. (It loads 0, 1 is stored, it stores 0 again, which is seen, and 2 is stored.)
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --memory-model rc11
// verdict: bug
// bug: data-race
// In an atomic section nothing can come in between.
// check: --property unreach-call -DSECTION
// verdict: verified
// Unless memory is weak, where the load may miss what was stored.
// check: -DSECTION -DKIND=volatile --volatile atomic --memory-model rc11 --spin-rounds 3
// verdict: bug
// bug: assertion
// check: -DSECTION -DKIND=volatile --volatile atomic --memory-model tso --spin-rounds 3
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#ifndef KIND
#define KIND
#endif

KIND int x;

void reach_error(void) { assert(0); }

static void *thread(void *unused) {
    int t;
    do {
#ifdef SECTION
        __VERIFIER_atomic_begin();
#endif
        t = x;
        x = t;
#ifdef SECTION
        __VERIFIER_atomic_end();
#endif
    } while (t != 2);
    reach_error();
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    x = 1;
    if (x == 0)
        x = 2;
    pthread_join(other, 0);
    return 0;
}
