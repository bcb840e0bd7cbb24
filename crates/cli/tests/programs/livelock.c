// p spins until x is 1; q stores 1, then 2: p may miss it. Source: FMCAD 2022; confirmed by an independent tool.
// By reads-from, p reads 0, 1 or 2, and stops in a round that does nothing if it is not 1; if it waits, it reads 1 or
// waits for ever.
// If main does not wait for p, it ends the program, and p need not get anywhere: no livelock.
// check: --allow livelocks
// verdict: verified
// complete: 1
// blocked: 1
// check: --allow livelocks --loops assume
// verdict: verified
// complete: 1
// blocked: 2
// check: --allow livelocks --loops assume --algorithm reads-from
// verdict: verified
// complete: 1
// blocked: 2
// check: --allow livelocks --loops await --algorithm reads-from
// verdict: verified
// complete: 1
// blocked: 1
// check:
// verdict: bug
// bug: livelock
// check: --loops assume
// verdict: bug
// bug: livelock
// check: --loops plain
// verdict: incomplete
// bug: step-limit
// check: -DRETURNS
// verdict: verified
// complete: 1
// blocked: 1
// large columns: --allow=livelocks | - | 1+2 | 1+1 | 1+1
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *p(void *unused) {
    while (atomic_load(&x) != 1) // <- bug
        ;
    return 0;
}

static void *q(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, p, 0);
    pthread_create(&threads[1], 0, q, 0);
#ifndef RETURNS
    pthread_join(threads[0], 0);
#endif
    return 0;
}
