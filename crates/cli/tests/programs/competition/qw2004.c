// pthread-lit: a driver that stops while requests come: whoever is in when the driver counts as stopped has been missed,
// unless looking whether it is stopping and coming in are one step.
// check: --property unreach-call
// verdict: bug
// check: --property unreach-call -DATOMIC
// verdict: verified
#include "verifier.h"
static volatile int stopping, stop_event, stopped, pending = 1;
static void begin(void) {
#ifdef ATOMIC
    __VERIFIER_atomic_begin();
#endif
}
static void end(void) {
#ifdef ATOMIC
    __VERIFIER_atomic_end();
#endif
}
static int increment(void) {
    begin();
    int is_stopping = stopping;
    if (!is_stopping) {
        __VERIFIER_atomic_begin();
        pending++;
        __VERIFIER_atomic_end();
    }
    end();
    return is_stopping ? -1 : 0;
}
static void decrement(void) {
    __VERIFIER_atomic_begin();
    int now = --pending;
    __VERIFIER_atomic_end();
    if (now == 0)
        stop_event = 1;
}
static void *adds(void *arg) {
    if (increment() == 0) {
        check(!stopped);
        decrement();
    }
    return 0;
}
static void *stops(void *arg) {
    stopping = 1;
    decrement();
    __VERIFIER_assume(stop_event);
    stopped = 1;
    return 0;
}
TWO_THREADS(adds, stops)
