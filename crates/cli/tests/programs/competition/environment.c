// What the environment decides: random numbers are inputs, waits end spuriously, and what else it could answer otherwise leaves open
// what nothing violates here.
// check: --property unreach-call -DRANDOM
// verdict: bug
// check: --property unreach-call -DRANDOM -DSIDES=6
// verdict: incomplete
// cut: nondeterministic
// check: --property unreach-call -DCOIN
// verdict: verified
// check: --property unreach-call -DTYPED
// verdict: incomplete
// cut: input is empty
// check: --property no-data-race -DTYPED
// verdict: incomplete
// check: -DTYPED
// verdict: verified
// assumed: input is empty
// check: --property unreach-call -DCALLED
// verdict: incomplete
// cut: without arguments
// check: --property unreach-call -DCALLED -- argument
// verdict: bug
// check: --property unreach-call -DCALLED -DNEVER_ASKED
// verdict: verified
// check: --property unreach-call -DVARIABLE
// verdict: incomplete
// cut: variable is set
// check: --property unreach-call -DSIGNAL
// verdict: incomplete
// cut: no signal
// check: --property unreach-call -DWAIT=if
// verdict: bug
// check: --property unreach-call -DWAIT=while
// verdict: verified
// assumed: spuriously at most once
#include "verifier.h"
#include <signal.h>
#include <stdio.h>

#ifndef SIDES
#define SIDES 8
#endif
MUTEX(m);
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int value;

static void *thread(void *arg) {
    LOCK(m);
#if defined(RANDOM)
    value = rand() % SIDES;
#elif defined(COIN)
    value = rand() ? 5 : 6;
#elif defined(TYPED)
    scanf("%d", &value);
#elif defined(WAIT)
    value = 7;
    pthread_cond_signal(&changed);
#endif
    UNLOCK(m);
    return 0;
}

#ifdef SIGNAL
static void handle(int number) { value = 7; }
#endif

int main(int count, char **arguments) {
    pthread_t started;
#if defined(CALLED) && !defined(NEVER_ASKED)
    if (count > 1 && arguments[1][0])
        value = 7;
#elif defined(VARIABLE)
    if (getenv("SEVEN"))
        value = 7;
#elif defined(SIGNAL)
    signal(SIGINT, handle);
#endif
    pthread_create(&started, 0, thread, 0);
#ifdef WAIT
    LOCK(m);
    WAIT (value == 0)
        pthread_cond_wait(&changed, &m);
    check(value == 7);
    UNLOCK(m);
#endif
    pthread_join(started, 0);
#ifndef WAIT
    check(value != 7);
#endif
    return 0;
}
