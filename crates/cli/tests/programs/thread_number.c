// A thread looks for its own number where pthread_create writes it: POSIX does not say that it is there by then. thrd_create does, and
// so does a lock that is held until pthread_create returns.
// check: --races
// verdict: bug
// bug: data-race
// check: --races --algorithm graphs
// verdict: bug
// bug: data-race
// check: --memory-model rc11
// verdict: bug
// bug: data-race
// check: -DLOCAL --races
// verdict: bug
// bug: data-race
// check: -DLOCAL --memory-model rc11
// verdict: bug
// bug: data-race
// check: -DLOCKED --races
// verdict: verified
// check: -DLOCKED --memory-model rc11
// verdict: verified
// check: -DC11 --races
// verdict: verified
// check: -DC11 --memory-model rc11
// verdict: verified
// check: --property unreach-call
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef C11
static thrd_t number;

static int look(void *place) {
    assert(thrd_equal(*(thrd_t *)place, thrd_current()));
    return 0;
}
#else
#ifndef LOCAL
static pthread_t number;
#endif

static void *look(void *place) {
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#endif
    assert(pthread_equal(*(pthread_t *)place, pthread_self()));
    return 0;
}
#endif

int main(void) {
#ifdef C11
    thrd_create(&number, look, &number);
    thrd_join(number, 0);
#else
#ifdef LOCAL
    pthread_t number;
#endif
    pthread_mutex_lock(&mutex);
    pthread_create(&number, 0, look, &number);
    pthread_mutex_unlock(&mutex);
    pthread_join(number, 0);
#endif
}
