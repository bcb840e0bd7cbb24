// pthread-atomic: loops that ask for an input in every round, and go on when it says so. A round in which it does not is left out.
// check: --property unreach-call
// verdict: verified
// check: --property no-data-race
// verdict: verified
// check: --property unreach-call -DWRONG
// verdict: bug
// bug: assertion
//
// A round that counts is none of those.
// check: --property unreach-call -DCOUNTS
// verdict: bug
// bug: assertion
#include "verifier.h"

static int current, users[2], rounds;

static void __VERIFIER_atomic_use(int which) {
    __VERIFIER_assume(which == current);
    users[which]++;
}

static void *reader(void *arg) {
    int mine;
    for (;;) {
        __VERIFIER_atomic_begin();
        mine = current;
        __VERIFIER_atomic_end();
        if (__VERIFIER_nondet_int()) {
            __VERIFIER_atomic_use(mine);
            break;
        }
        if (__VERIFIER_nondet_int()) {
            __VERIFIER_atomic_begin();
            users[mine]++;
            __VERIFIER_atomic_end();
            break;
        }
#ifdef COUNTS
        rounds++;
        check(rounds < 3);
#endif
    }
    __VERIFIER_atomic_begin();
    check(users[mine] > 0);
    users[mine]--;
    __VERIFIER_atomic_end();
    return 0;
}

static void *writer(void *arg) {
    __VERIFIER_atomic_begin();
#ifdef WRONG
    users[current]--;
#endif
    current = 1 - current;
    __VERIFIER_atomic_end();
    return 0;
}

TWO_THREADS(reader, writer)
