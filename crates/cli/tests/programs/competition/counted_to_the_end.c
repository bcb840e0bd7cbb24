// pthread-wmm: threads count that they are done in atomic sections, and main rules out what it does before all of them are. It waits
// for that, so that no execution is ruled out: two orders of the sections with x and y. Those that count add, which commutes.
// check: --property unreach-call
// verdict: verified
// complete: 2
// blocked: 0
// check: --property unreach-call -DWRONG
// verdict: bug
// bug: assertion
//
// A count that goes down again is looked at by the section itself.
// check: --property unreach-call -DDOWN
// verdict: verified
#include "verifier.h"

static int done, x, y;
static _Bool all_done;

static void *one(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    done = done + 1;
    __VERIFIER_atomic_end();
    return 0;
}

static void *two(void *arg) {
    __VERIFIER_atomic_begin();
    y = x;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    done = done + 1;
    __VERIFIER_atomic_end();
#ifdef DOWN
    __VERIFIER_atomic_begin();
    done = done - 1;
    __VERIFIER_atomic_end();
#endif
    return 0;
}

int main(void) {
    pthread_t thread_1, thread_2;
    pthread_create(&thread_1, 0, one, 0);
    pthread_create(&thread_2, 0, two, 0);
    __VERIFIER_atomic_begin();
    all_done = done == 2;
    __VERIFIER_atomic_end();
    if (!all_done)
        abort();
#ifdef WRONG
    __VERIFIER_atomic_begin();
    all_done = !(x == 1 && y == 1);
    __VERIFIER_atomic_end();
    check(all_done);
#else
    check(x == 1 && y <= 1);
#endif
    return 0;
}
