// Peterson's lock for two threads.
// check:
// verdict: verified
// check: -DTURN=memory_order_release
// verdict: bug
// check: -DLOOK=memory_order_acquire
// verdict: bug
// check: -DLEAVE=memory_order_relaxed
// verdict: bug
// bug: data-race
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
