// pthread-lit: one thread raises a number as often as others are told apart by it; it cannot be one more than that.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DSEEN=2
// verdict: bug
#include "verifier.h"
#ifndef SEEN
#define SEEN 3
#endif
static int x;
static void *adds(void *arg) {
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    return 0;
}
static void *looks(void *arg) {
    __VERIFIER_atomic_begin();
    check(x != SEEN);
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, looks, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t, 0, adds, 0);
}
