// Two threads wait on one condition variable at the same time, each with another mutex. One after the other they may.
// check:
// verdict: bug
// bug: misuse
// check: --algorithm graphs
// verdict: bug
// bug: misuse
// check: --memory-model rc11
// verdict: bug
// bug: misuse
// check: -DONE_BY_ONE
// verdict: verified
// check: -DONE_BY_ONE --memory-model rc11
// verdict: verified
// check: -DONE_MUTEX
// verdict: verified
// Where nobody is notified, one may give up before the other comes, or after that.
// check: -DGIVE_UP
// verdict: bug
// bug: misuse
// check: -DGIVE_UP --algorithm source
// verdict: bug
// bug: misuse
// check: -DGIVE_UP --algorithm reads-from
// verdict: bug
// bug: misuse
// check: -DGIVE_UP -DONE_BY_ONE
// verdict: verified
// check: -DGIVE_UP -DONE_MUTEX
// verdict: verified
// complete: 6
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready[2];

static void *await(void *which) {
    long number = (long)which;
#ifdef ONE_MUTEX
    pthread_mutex_t *mutex = &mutexes[0];
#else
    pthread_mutex_t *mutex = &mutexes[number];
#endif
    pthread_mutex_lock(mutex);
#ifdef GIVE_UP
    struct timespec end = {0, 0};
    pthread_cond_timedwait(&condition, mutex, &end);
#else
    while (!ready[number])
        pthread_cond_wait(&condition, mutex);
#endif
    pthread_mutex_unlock(mutex);
    return 0;
}

static void announce(long number) {
#ifndef GIVE_UP
    pthread_mutex_lock(&mutexes[0]);
    pthread_mutex_lock(&mutexes[1]);
    ready[number] = 1;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutexes[1]);
    pthread_mutex_unlock(&mutexes[0]);
#endif
}

int main(void) {
    pthread_t threads[2];
    for (long number = 0; number < 2; number++) {
        pthread_create(&threads[number], 0, await, (void *)number);
#ifdef ONE_BY_ONE
        announce(number);
        pthread_join(threads[number], 0);
#endif
    }
#ifndef ONE_BY_ONE
    announce(0);
    announce(1);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
#endif
}
