// pthread-ext: a ticket lock whose tickets are taken one by one, or without looking at what others take.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DAPART
// verdict: bug
#include "verifier.h"
static volatile unsigned s, t;
static int inside;
static unsigned __VERIFIER_atomic_take(void) { return t++; }
static unsigned take(void) {
#ifdef APART
    __VERIFIER_atomic_begin();
    unsigned mine = t;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    t = mine + 1;
    __VERIFIER_atomic_end();
    return mine;
#else
    return __VERIFIER_atomic_take();
#endif
}
static void *thread(void *arg) {
    unsigned mine = take();
    for (;;) {
        __VERIFIER_atomic_begin();
        unsigned now = s;
        __VERIFIER_atomic_end();
        if (now == mine)
            break;
    }
    __VERIFIER_atomic_begin();
    inside++;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    check(inside == 1);
    inside--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    s++;
    __VERIFIER_atomic_end();
    return 0;
}
TWO_THREADS(thread, thread)
