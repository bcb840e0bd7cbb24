// pthread-race-challenges, pthread-driver-races: inputs that are numbers of rounds, or indices, where they have been found to be small.
// Each of the values that they have there is tried, and one of all others.
// check: --property no-data-race
// verdict: verified
// check: --property valid-memsafety
// verdict: verified
// check: --property no-data-race -DASSUMES
// verdict: verified
// check: --property unreach-call -DROUNDS=5
// verdict: bug
// bug: assertion
// check: --property unreach-call -DROUNDS=6
// verdict: verified
// check: --property no-data-race -DCALLED=2
// verdict: bug
// bug: data-race
//
// There are too many, one end is open, or it is another number that is found to be small.
// check: --property no-data-race -DMOST=100
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DLEAST=-1000
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DOTHER
// verdict: incomplete
// cut: nondeterministic
#include "verifier.h"
#ifndef MOST
#define MOST 5
#endif
#ifndef LEAST
#define LEAST 0
#endif
#ifndef ROUNDS
#define ROUNDS -1
#endif
#ifndef CALLED
#define CALLED 3
#endif

static int shared, rounds;
MUTEX(m);

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

static void nothing(void) {}
static void looks(void) {
    LOCK(m);
    shared++;
    UNLOCK(m);
}
static void races(void) { shared++; }
static void (*const functions[])(void) = {nothing, looks, looks, races};

static void *thread(void *arg) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < CALLED)
        functions[CALLED == 3 ? i : i + 2]();
    return 0;
}

int main(void) {
    pthread_t created;
    int n = __VERIFIER_nondet_int();
#ifdef OTHER
    int other = __VERIFIER_nondet_int();
    if (other < LEAST || other > MOST)
        return 0;
    n &= 7;
#elif defined(ASSUMES)
    assume_abort_if_not(n >= LEAST && n <= MOST);
#else
    if (n < LEAST || n > MOST)
        return 0;
#endif
    pthread_create(&created, 0, thread, 0);
    for (int i = 0; i < n; i++) {
        LOCK(m);
        shared++;
        rounds++;
        UNLOCK(m);
    }
    check(rounds != ROUNDS);
    pthread_join(created, 0);
    return 0;
}
