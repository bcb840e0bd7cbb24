// What the environment answers in one way only, although there are others, is said with the verdict.
// check: -DRANDOM
// verdict: verified
// assumed: random numbers
// check: -DCLOCK
// verdict: verified
// assumed: no time passes
// check: -DVARIABLE
// verdict: verified
// assumed: environment variable
// check: -DSIGNAL
// verdict: verified
// assumed: no signal
// check: -DMALLOC
// verdict: verified
// assumed: memory is never exhausted
// check: -DMALLOC --malloc may-fail
// verdict: bug
// bug: null-pointer
// check: -DMALLOC -DLOOKS --malloc may-fail
// verdict: verified
// complete: 2
// assumed: []
// check:
// verdict: verified
// assumed: []
#include <signal.h>
#include <stdlib.h>
#include <time.h>

static void handler(int unused) {}

int main(void) {
#ifdef RANDOM
    return rand() == -1;
#endif
#ifdef CLOCK
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
#ifdef VARIABLE
    return getenv("HOME") != 0;
#endif
#ifdef SIGNAL
    signal(SIGTERM, handler);
#endif
#ifdef MALLOC
    int *memory = malloc(sizeof *memory);
#ifdef LOOKS
    if (!memory)
        return 1;
#endif
    *memory = 1;
    free(memory);
#endif
    return 0;
}
