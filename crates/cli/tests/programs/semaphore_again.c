// Loops around attempts at a semaphore, which tell by `errno` why they have failed, are loops that wait; so are those with a function
// of their own that says until when.
// check:
// verdict: verified
// complete: 2
// check: -DTRY
// verdict: verified
// complete: 2
// check: -DUNASKED
// verdict: verified
// complete: 2
// check: -DFUNCTION
// verdict: verified
// complete: 2
// check: -DASSIGNED
// verdict: verified
// complete: 2
// check: -DCONDITION
// verdict: verified
// complete: 4
// check: -DNOBODY
// verdict: bug
// bug: livelock
// That it was late once is to be seen, by `errno` as well.
// check: -DCOUNTED
// verdict: bug
// bug: assertion
// check: -DTOLD
// verdict: bug
// bug: assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

sem_t units;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready, number;

static struct timespec in_ms(int ms) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += ms * 1000000L;
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000L;
    }
    return end;
}

static void *take(void *unused) {
    struct timespec end;
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
#if defined TRY
    while (sem_trywait(&units) == -1 && errno == EAGAIN)
        ;
#elif defined UNASKED
    while (sem_timedwait(&units, &end))
        ;
#elif defined FUNCTION
    for (;;) {
        struct timespec next = in_ms(5);
        if (sem_timedwait(&units, &next) == 0)
            break;
        if (errno == ETIMEDOUT || errno == EINTR)
            continue;
        return 0;
    }
#elif defined ASSIGNED
    while (sem_timedwait(&units, &end) == -1 && errno == ETIMEDOUT)
        end = in_ms(5);
#elif defined CONDITION
    pthread_mutex_lock(&mutex);
    while (!ready) {
        struct timespec next = in_ms(5);
        pthread_cond_timedwait(&changed, &mutex, &next);
    }
    pthread_mutex_unlock(&mutex);
    return 0;
#else
    errno = 0;
    while (sem_timedwait(&units, &end) == -1 && errno == ETIMEDOUT) {
#ifdef COUNTED
        late++;
#endif
    }
#ifdef TOLD
    assert(errno == 0);
#endif
#endif
    assert(number == 1 && late == 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&units, 0, 0);
    pthread_create(&thread, 0, take, 0);
    number = 1;
#ifdef CONDITION
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
#elif !defined NOBODY
    sem_post(&units);
#endif
    pthread_join(thread, 0);
    return 0;
}
