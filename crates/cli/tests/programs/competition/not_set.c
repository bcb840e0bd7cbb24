// What a variable holds that was not set may be any value: it is an input, the same whenever it is read.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DWRONG
// verdict: bug
// bug: assertion
// check: --property unreach-call -DAGAIN
// verdict: verified
// check: --property unreach-call -DIN_MEMORY
// verdict: incomplete
// check: --property unreach-call --unset any -DWRONG
// verdict: bug
// bug: assertion
#include "verifier.h"

static int found;

static void *decides(void *arg) {
    int level;
#ifdef IN_MEMORY
    // Its address is taken.
    int *address = &level;
    pthread_t *unknown = arg;
    if (unknown)
        *unknown = (pthread_t)address;
#endif
#ifdef AGAIN
    found = level > 3 ? (level <= 3 ? 5 : 0) : 1;
#else
    found = level > 3 ? 1 : 2;
#endif
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_t kept;
    pthread_create(&thread, 0, decides, &kept);
    pthread_join(thread, 0);
#ifdef WRONG
    check(found == 1);
#elif defined AGAIN
    check(found == 0 || found == 1);
#else
    check(found == 1 || found == 2);
#endif
    return 0;
}
