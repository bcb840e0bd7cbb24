// pthread: a producer and a consumer hand one item over by two condition variables; the consumer never sees more than one.
// Who waits without looking again is deceived by a spurious wake-up, or by a signal that comes late, after the mutex is free.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DIF
// verdict: bug
// check: --memory-model sc --allow deadlocks -DIF
// verdict: verified
// check: --property unreach-call -DIF -DLATE
// verdict: bug
// check: --property unreach-call -DLATE
// verdict: verified
// check: --property no-data-race
// verdict: verified
#include "verifier.h"
MUTEX(m);
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int num;
#ifdef IF
#define WAIT_WHILE(c, v) if (c) pthread_cond_wait(&v, &m)
#else
#define WAIT_WHILE(c, v) while (c) pthread_cond_wait(&v, &m)
#endif
#ifdef LATE
#define LEAVE(v) (UNLOCK(m), pthread_cond_signal(&v))
#else
#define LEAVE(v) (pthread_cond_signal(&v), UNLOCK(m))
#endif
static void *producer(void *arg) {
    for (int i = 0; i < 2; i++) {
        LOCK(m);
        WAIT_WHILE(num > 0, empty);
        num++;
        check(num == 1);
        LEAVE(full);
    }
    return 0;
}
static void *consumer(void *arg) {
    for (int i = 0; i < 2; i++) {
        LOCK(m);
        WAIT_WHILE(num == 0, full);
        num--;
        check(num == 0);
        LEAVE(empty);
    }
    return 0;
}
TWO_THREADS(producer, consumer)
