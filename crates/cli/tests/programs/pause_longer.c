// A spinlock that pauses for longer and longer: how long decides nothing. Complete executions: one for each order of the two
// threads.
// check:
// verdict: verified
// complete: 2
// With optimisation the loop that pauses counts to a number that it is to be equal to, and is left out if there are no rounds of
// it; each thread tries once before the loop, and in it. The second one finds the lock free at the first try, or at a later one.
// check: -O1
// verdict: verified
// complete: 4
// Without a bound, too.
// check: -DUNBOUNDED
// verdict: verified
// complete: 2
// check: -DUNBOUNDED -O1
// verdict: verified
// complete: 4
// check: -DDOWN -O1
// verdict: verified
// complete: 4
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int locked;
int count;

static void *add(void *unused) {
    long spins = 0;
    for (int pause = 1; atomic_exchange(&locked, 1); spins++) {
#ifdef DOWN
        for (int i = pause; i > 0; i--)
#else
        for (int i = 0; i < pause; i++)
#endif
            sched_yield();
#ifndef UNBOUNDED
        if (pause < 64)
#endif
            pause *= 2;
    }
    count++;
    atomic_store(&locked, 0);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
    add(0);
    pthread_join(other, 0);
    assert(count == 2);
}
