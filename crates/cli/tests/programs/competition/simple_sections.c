// Sections that come to one access, and variables that nobody reads. What a section has stored before its execution is ruled out is not
// seen, and memory that a variable leads to is not lost.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DADDS
// verdict: verified
// check: --property unreach-call -DALLOWED
// verdict: bug
// bug: assertion
// check: --property valid-memsafety
// verdict: verified
// check: --property valid-memsafety -DLOST
// verdict: bug
// bug: leak
#include "verifier.h"
static int x;
static int *kept;

static void *thread(void *argument) {
#ifdef ALLOWED
    _Bool goes_on = 1;
#else
    _Bool goes_on = argument != 0;
#endif
    __VERIFIER_atomic_begin();
#ifdef ADDS
    x = x + 1;
#else
    x = 1;
#endif
    __VERIFIER_assume(goes_on);
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    kept = malloc(sizeof(int));
#ifdef LOST
    kept = 0;
#endif
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    if (x == 1)
        reach_error();
    return 0;
}
