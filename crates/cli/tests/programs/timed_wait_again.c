// A loop that waits again whenever the time is up is a loop that waits, whatever it computes to know until when. Four executions: it
// never waits; its first wait is notified; it gives up and locks the mutex after `main` has; or before, and its second wait,
// which begins the round, is notified. That a later wait is, after more rounds in vain, makes no difference.
// check:
// verdict: verified
// complete: 4
// check: -DCONSTANT
// verdict: verified
// check: -DRESULT
// verdict: verified
// check: -DC11
// verdict: verified
// check: -DLOCK
// verdict: verified
// check: -DNOBODY
// verdict: bug
// bug: livelock
// check: -DNOBODY --algorithm=graphs
// verdict: bug
// bug: livelock
// A signal may wake the one of two who would have gone on without it.
// check: -DTWO
// verdict: bug
// bug: deadlock
// check: -DTWO -DBROADCAST
// verdict: verified
// How often the time was up is something to be seen, be it by the limit itself.
// check: -DCOUNTED
// verdict: bug
// bug: assertion
// check: -DCOUNTED_BY_LIMIT
// verdict: bug
// bug: assertion
// check: -DDEADLINE
// verdict: bug
// bug: assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

int ready;

#ifdef C11
mtx_t mutex;
cnd_t changed;
#else
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
#endif

const struct timespec constant = {1, 0};

static void set(struct timespec *end) {
    end->tv_nsec += 5000000;
    if (end->tv_nsec >= 1000000000) {
        end->tv_sec++;
        end->tv_nsec -= 1000000000;
    }
}

static void *look(void *unused) {
#if defined LOCK
    for (;;) {
        struct timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        set(&end);
        int result = pthread_mutex_timedlock(&mutex, &end);
        if (result == 0)
            break;
        if (result != ETIMEDOUT)
            return 0;
    }
    ready++;
    pthread_mutex_unlock(&mutex);
#elif defined C11
    mtx_lock(&mutex);
    while (!ready) {
        struct timespec end;
        timespec_get(&end, TIME_UTC);
        end.tv_sec += 1;
        cnd_timedwait(&changed, &mutex, &end);
    }
    mtx_unlock(&mutex);
#else
    int result = 0, late = 0;
    struct timespec end = {0, 0}, last;
    clock_gettime(CLOCK_REALTIME, &last);
    last.tv_sec += 3;
    pthread_mutex_lock(&mutex);
    while (!ready) {
#if defined CONSTANT
        pthread_cond_timedwait(&changed, &mutex, &constant);
#elif defined RESULT
        clock_gettime(CLOCK_REALTIME, &end);
        set(&end);
        result = pthread_cond_timedwait(&changed, &mutex, &end);
        if (result != 0 && result != ETIMEDOUT)
            break;
#elif defined COUNTED
        if (pthread_cond_timedwait(&changed, &mutex, &constant) == ETIMEDOUT)
            late++;
#elif defined COUNTED_BY_LIMIT
        end.tv_nsec += 1000;
        pthread_cond_timedwait(&changed, &mutex, &end);
#elif defined DEADLINE
        clock_gettime(CLOCK_REALTIME, &end);
        if (end.tv_sec >= last.tv_sec) {
            late = 2;
            break;
        }
        end.tv_sec++;
        pthread_cond_timedwait(&changed, &mutex, &end);
#else
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec++;
        pthread_cond_timedwait(&changed, &mutex, &end);
#endif
    }
    pthread_mutex_unlock(&mutex);
    assert(result == 0 || result == ETIMEDOUT);
    assert(late < 2);
#ifdef COUNTED_BY_LIMIT
    assert(end.tv_nsec < 3000);
#endif
#endif
    return 0;
}

#ifdef TWO
static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
#endif

int main(void) {
#ifdef C11
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
#endif
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
#ifdef TWO
    pthread_t other;
    pthread_create(&other, 0, wait, 0);
#endif
#if defined C11
    mtx_lock(&mutex);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&mutex);
#elif !defined NOBODY
    pthread_mutex_lock(&mutex);
    ready = 1;
#ifdef BROADCAST
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(thread, 0);
#ifdef TWO
    pthread_join(other, 0);
#endif
    return 0;
}
