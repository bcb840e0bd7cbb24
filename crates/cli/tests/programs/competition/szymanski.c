// pthread-atomic: Szymanski's lock for two, with loops that assume.
// check: --property unreach-call
// verdict: verified
#include "verifier.h"
static int flag1, flag2, x;
#define GET(v) ({ __VERIFIER_atomic_begin(); int get = (v); __VERIFIER_atomic_end(); get; })
#define SET(v, n) (__VERIFIER_atomic_begin(), v = (n), __VERIFIER_atomic_end())
static void *one(void *arg) {
    SET(flag1, 1);
    while (GET(flag2) >= 3)
        ;
    SET(flag1, 3);
    if (GET(flag2) == 1) {
        SET(flag1, 2);
        while (GET(flag2) != 4)
            ;
    }
    SET(flag1, 4);
    while (GET(flag2) >= 2)
        ;
    SET(x, 0);
    check(GET(x) <= 0);
    SET(flag1, 0);
    return 0;
}
static void *two(void *arg) {
    SET(flag2, 1);
    while (GET(flag1) >= 3)
        ;
    SET(flag2, 3);
    if (GET(flag1) == 1) {
        SET(flag2, 2);
        while (GET(flag1) != 4)
            ;
    }
    SET(flag2, 4);
    while (({ int f = GET(flag1); f == 2 || f == 3; }))
        ;
    SET(x, 1);
    check(GET(x) >= 1);
    while (({ int f = GET(flag1); f == 2 || f == 3; }))
        ;
    SET(flag2, 0);
    return 0;
}
TWO_THREADS(one, two)
