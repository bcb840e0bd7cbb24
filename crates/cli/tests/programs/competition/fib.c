// pthread: two threads that add up each other's numbers come to at most a Fibonacci number, and can come to it: with two
// rounds each, i <= 1 + 1, j <= 1 + 2 ..., the largest is F(6) = 8.
// check: --property unreach-call -DMOST=8
// verdict: verified
// check: --property unreach-call -DMOST=7
// verdict: bug
// check: --property no-data-race -DMOST=8 -DPLAIN
// verdict: bug
#include "verifier.h"
static int i = 1, j = 1;
#ifdef PLAIN
#define ATOMIC(s) s
#else
#define ATOMIC(s) (__VERIFIER_atomic_begin(), s, __VERIFIER_atomic_end())
#endif
static void *first(void *arg) {
    for (int k = 0; k < 2; k++)
        ATOMIC(i += j);
    return 0;
}
static void *second(void *arg) {
    for (int k = 0; k < 2; k++)
        ATOMIC(j += i);
    return 0;
}
#undef AT_END
#define AT_END check(i <= MOST && j <= MOST)
TWO_THREADS(first, second)
