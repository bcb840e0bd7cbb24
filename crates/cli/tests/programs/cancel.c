// A thread that is cancelled: at a cancellation point, in a wait, with its handlers run, and only while it allows it.
// check: -DLOOP
// verdict: verified
// check: -DWAIT
// verdict: verified
// check: -DSEMAPHORE
// verdict: verified
// check: -DFINISHES
// verdict: verified
// check: -DFINISHES -DALWAYS_CANCELLED
// verdict: bug
// bug: assertion
// check: -DFINISHES -DNEVER_CANCELLED
// verdict: bug
// bug: assertion
// check: -DDISABLED
// verdict: verified
// check: -DKEEPS_LOCK
// verdict: bug
// bug: deadlock
// check: -DASYNCHRONOUS
// verdict: error
// message: `pthread_setcanceltype` for cancellation at any time, which is not modelled
// check: -DJOINS
// verdict: error
// message: a thread that waits in `pthread_join`, which is not modelled
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int cleaned;

static void clean(void *unlocks) {
    cleaned++;
    if (unlocks)
        pthread_mutex_unlock(&mutex);
}

static void *nothing(void *arg) {
    sem_wait(&semaphore);
    return arg;
}

static void *thread(void *arg) {
#if defined(LOOP)
    pthread_cleanup_push(clean, 0);
    for (;;)
        sleep(1);
    pthread_cleanup_pop(0);
#elif defined(WAIT) || defined(KEEPS_LOCK)
    pthread_mutex_lock(&mutex);
#ifdef KEEPS_LOCK
    pthread_cleanup_push(clean, 0);
#else
    pthread_cleanup_push(clean, &mutex);
#endif
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
#elif defined(SEMAPHORE)
    pthread_cleanup_push(clean, 0);
    sem_wait(&semaphore);
    pthread_cleanup_pop(0);
#elif defined(FINISHES)
    pthread_testcancel();
#elif defined(DISABLED)
    int before;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    assert(before == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    cleaned = 1;
    pthread_setcancelstate(before, 0);
    pthread_testcancel();
#elif defined(ASYNCHRONOUS)
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
#elif defined(JOINS)
    pthread_t other;
    pthread_create(&other, 0, nothing, 0);
    pthread_join(other, 0);
#endif
    return 0;
}

int main(void) {
    pthread_t id;
    void *result;
    sem_init(&semaphore, 0, 0);
    pthread_create(&id, 0, thread, 0);
    assert(pthread_cancel(id) == 0);
    assert(pthread_join(id, &result) == 0);
#if defined(FINISHES)
#ifdef ALWAYS_CANCELLED
    assert(result == PTHREAD_CANCELED);
#elif defined(NEVER_CANCELLED)
    assert(result == 0);
#else
    assert(result == 0 || result == PTHREAD_CANCELED);
#endif
#elif defined(LOOP) || defined(WAIT) || defined(SEMAPHORE)
    assert(result == PTHREAD_CANCELED);
    assert(cleaned == 1);
    pthread_mutex_lock(&mutex);
#elif defined(DISABLED)
    assert(cleaned == 1);
#elif defined(KEEPS_LOCK)
    pthread_mutex_lock(&mutex);
#endif
    return 0;
}
