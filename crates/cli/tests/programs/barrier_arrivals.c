// Threads that meet at a barrier, twice. The order in which they arrive makes no difference, so there is one execution.
// check: -DTHREADS=5
// verdict: verified
// complete: 1
// check: -DTHREADS=3 --algorithm observers
// verdict: verified
// complete: 1
// Unless a thread asks whether it was the last one. Of two, either is, in each of the two rounds. (Whoever passes the first one does not
// look at who has arrived for the second.)
// check: -DTHREADS=2 -DASKS
// verdict: verified
// complete: 4
// Or there are more threads than the barrier lets through, and one may be left over.
// check: -DTHREADS=3 -DCOUNT=2
// verdict: bug
// bug: deadlock
#include <pthread.h>

#ifndef COUNT
#define COUNT THREADS
#endif

pthread_barrier_t barrier;
int last[THREADS];

static void *meet(void *argument) {
    for (int round = 0; round < 2; round++) {
#ifdef ASKS
        last[(long)argument] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
#else
        pthread_barrier_wait(&barrier);
#endif
    }
    return argument;
}

int main(void) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, 0, COUNT);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, meet, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pthread_barrier_destroy(&barrier);
}
