// Unlocking a recursive mutex that is not held is an error that is returned, whoever holds it; so it is for one that checks.
// check:
// verdict: verified
// check: -DKIND=PTHREAD_MUTEX_ERRORCHECK
// verdict: verified
// check: -DKIND=PTHREAD_MUTEX_NORMAL
// verdict: bug
// bug: misuse
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#ifndef KIND
#define KIND PTHREAD_MUTEX_RECURSIVE
#endif

pthread_mutex_t mutex;

static void *unlocks(void *unused) {
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, KIND);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&thread, 0, unlocks, 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_join(thread, 0);
    return 0;
}
