// ldv-races: inputs that only decide which way the program goes have two values that differ, so everything is explored.
// check: --property no-data-race
// verdict: verified
// check: --property no-data-race -DRACES
// verdict: bug
// bug: data-race
// check: --property no-data-race -DCOUNTED
// verdict: verified
// check: -m32
// verdict: verified
#include "verifier.h"
static int shared;
MUTEX(m);
static void *thread(void *arg) {
    LOCK(m);
    shared++;
    UNLOCK(m);
    return 0;
}
int main(void) {
    pthread_t created;
    int failed = __VERIFIER_nondet_int();
    if (failed)
        return 1;
    pthread_create(&created, 0, thread, 0);
    if (__VERIFIER_nondet_int() == 0) {
        LOCK(m);
        shared++;
        UNLOCK(m);
    }
#ifdef COUNTED
    if (__VERIFIER_nondet_int() > 5) {
        LOCK(m);
        shared++;
        UNLOCK(m);
    }
#endif
#ifdef RACES
    if (!__VERIFIER_nondet_int())
        shared++;
#endif
    pthread_join(created, 0);
    return 0;
}
