// What is wrong for one input only: an index at the bound or in the middle, the number whose negation is none, the quotient that does not fit. The
// values that inputs are tried with come from the program; where there are others that may differ, nothing is verified.
// check: --property valid-memsafety -DINDEX
// verdict: bug
// bug: out-of-bounds
// check: --property valid-memsafety -DINDEX -DCHECKED
// verdict: verified
// check: --property valid-memsafety -DPLACE
// verdict: bug
// bug: out-of-bounds
// check: --property no-overflow -DNEGATION
// verdict: bug
// check: --property no-overflow -DQUOTIENT
// verdict: bug
// check: --property no-overflow -DSQUARE
// verdict: bug
// check: --property no-overflow -DSQUARE -DWIDE
// verdict: incomplete
// check: --property unreach-call -DSECRET
// verdict: bug
#include "verifier.h"
static int found;
static void *thread(void *arg) {
    int input = __VERIFIER_nondet_int();
#if defined(INDEX)
    char *text = malloc(7);
#ifdef CHECKED
    if (input >= 0 && input < 7)
#else
    if (input >= 0 && input <= 7)
#endif
        text[input] = 0;
    free(text);
#elif defined(PLACE)
    static const int lengths[10] = {[6] = 50};
    char *text = malloc(7);
    if (input >= 0 && input < 10)
        text[lengths[input]] = 0;
    free(text);
#elif defined(NEGATION)
    if (input < 0)
        input = -input;
#elif defined(QUOTIENT)
    int other = __VERIFIER_nondet_int();
    if (other != 0)
        input /= other;
#elif defined(SQUARE) && defined(WIDE)
    long long square = (long long)input * input;
#elif defined(SQUARE)
    int square = input * input;
#else
    if (input == 4711)
        found = 1;
#endif
    return 0;
}
int main(void) {
    pthread_t created;
    pthread_create(&created, 0, thread, 0);
    pthread_join(created, 0);
    check(!found);
    return 0;
}
