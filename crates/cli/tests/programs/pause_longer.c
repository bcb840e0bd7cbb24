// A spinlock that pauses for longer and longer: how long decides nothing. Complete executions: one for each order of the two
// threads.
// check:
// verdict: verified
// complete: 2
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int locked;
int count;

static void *add(void *unused) {
    long spins = 0;
    for (int pause = 1; atomic_exchange(&locked, 1); spins++) {
        for (int i = 0; i < pause; i++)
            sched_yield();
        if (pause < 64)
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
