// Peterson's lock for two threads.
// check:
// verdict: verified
// check: -DWANT=memory_order_release
// verdict: bug
// check: -DTURN=memory_order_release
// verdict: bug
// check: -DLOOK=memory_order_acquire
// verdict: bug
// check: -DLEAVE=memory_order_relaxed
// verdict: bug
// bug: data-race
//
// To look at the turn may be relaxed. Who goes in because of it has read what the other wants just before, and so has
// acquired all that the other did before it wanted to go in. That the other does not go in as well is decided by the
// order of the two writes to the turn, which is the same for all.
// check: -DLOOK_TURN=memory_order_relaxed
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef WANT
#define WANT memory_order_seq_cst
#endif
#ifndef TURN
#define TURN memory_order_seq_cst
#endif
#ifndef LOOK
#define LOOK memory_order_seq_cst
#endif
#ifndef LOOK_TURN
#define LOOK_TURN memory_order_seq_cst
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif

atomic_int want[2], turn;
int data;

static void *increment(void *argument) {
    long i = (long)argument;
    atomic_store_explicit(&want[i], 1, WANT);
    atomic_store_explicit(&turn, 1 - (int)i, TURN);
    while (atomic_load_explicit(&want[1 - i], LOOK) && atomic_load_explicit(&turn, LOOK_TURN) == 1 - (int)i)
        ;
    data++;
    atomic_store_explicit(&want[i], 0, LEAVE);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, (void *)0);
    pthread_create(&b, 0, increment, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2);
    return 0;
}
