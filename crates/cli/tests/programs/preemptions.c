// Two threads with three steps each, no two of which are independent. An execution in which the threads take turns m times has
// m - 1 switches, of which the last one is no preemption: the thread that is left has ended. There are two of them with no
// preemption, four with one, eight with two, four with three and two with four; C(6, 3) = 20 in all. Before the threads run,
// each writes to a variable of its own, which makes no difference.
// check: --preemptions 0
// verdict: incomplete
// complete: 2
// cut: only executions with at most 0 preemptions were explored
// check: --preemptions 1
// verdict: incomplete
// complete: 6
// check: --algorithm bounded
// verdict: incomplete
// complete: 14
// check: --algorithm bounded --preemptions 3
// complete: 18
// check: --preemptions 9
// verdict: incomplete
// complete: 20
// check: --algorithm source
// verdict: verified
// complete: 20
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, own[2];

static void *turns(void *number) {
    atomic_store(&own[(long)number], 1);
    atomic_load(&own[(long)number]);
    for (int i = 0; i < 3; i++)
        atomic_exchange(&x, (int)(long)number);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, turns, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
}
