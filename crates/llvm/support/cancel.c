// Cancellation of threads, as POSIX has it: a request waits until the thread comes to a cancellation point. These are the
// functions here, of which those that wait are woken up. Compiled with the program if it calls `pthread_cancel`.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

/* Whether somebody has asked the thread to end. */
_Thread_local atomic_long __everyway_cancelled;
static _Thread_local int state = PTHREAD_CANCEL_ENABLE;

/* Where the request of a thread is. */
extern atomic_long *__everyway_request_of(pthread_t thread);
/* The thread has been asked: refuses what cannot be woken up. */
extern void __everyway_has_been_asked(pthread_t thread);
/* The functions that wait, until something else has happened as well if there is one. */
extern int __everyway_cond_wait(pthread_cond_t *, pthread_mutex_t *, atomic_long *until);
extern int __everyway_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
extern int __everyway_sem_wait(sem_t *, atomic_long *until);
extern int __everyway_sem_timedwait(sem_t *, const struct timespec *);
extern int __everyway_join(pthread_t, void **);
extern int __everyway_asynchronous_cancellation(void);

void pthread_testcancel(void) {
    if (state == PTHREAD_CANCEL_ENABLE && atomic_load(&__everyway_cancelled)) {
        state = PTHREAD_CANCEL_DISABLE;
        pthread_exit(PTHREAD_CANCELED);
    }
}

int pthread_cancel(pthread_t thread) {
    atomic_store(__everyway_request_of(thread), 1);
    __everyway_has_been_asked(thread);
    return 0;
}

int pthread_setcancelstate(int new, int *old) {
    if (new != PTHREAD_CANCEL_ENABLE && new != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (old)
        *old = state;
    state = new;
    return 0;
}

int pthread_setcanceltype(int new, int *old) {
    if (new == PTHREAD_CANCEL_ASYNCHRONOUS)
        __everyway_asynchronous_cancellation();
    if (old)
        *old = PTHREAD_CANCEL_DEFERRED;
    return 0;
}

static atomic_long *request(void) { return state == PTHREAD_CANCEL_ENABLE ? &__everyway_cancelled : 0; }

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    pthread_testcancel();
    __everyway_cond_wait(condition, mutex, request());
    pthread_testcancel();
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
    pthread_testcancel();
    int result = __everyway_cond_timedwait(condition, mutex, end);
    pthread_testcancel();
    return result;
}

int sem_wait(sem_t *semaphore) {
    pthread_testcancel();
    /* One that was asked while it waited has not got it, and ends. */
    if (__everyway_sem_wait(semaphore, request()))
        pthread_testcancel();
    return 0;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
    pthread_testcancel();
    int result = __everyway_sem_timedwait(semaphore, end);
    if (result)
        pthread_testcancel();
    return result;
}

int pthread_join(pthread_t thread, void **result) {
    pthread_testcancel();
    return __everyway_join(thread, result);
}

unsigned sleep(unsigned seconds) {
    pthread_testcancel();
    return 0;
}

int usleep(unsigned microseconds) {
    pthread_testcancel();
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    pthread_testcancel();
    return 0;
}
