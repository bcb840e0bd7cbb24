// Whoever locks a robust mutex next is told that its holder has ended; with others it waits.
// check:
// verdict: error
// message: the program makes a mutex robust, which is not modelled
// check: -DROBUST=PTHREAD_MUTEX_STALLED
// verdict: bug
// bug: deadlock
#include <pthread.h>

#ifndef ROBUST
#define ROBUST PTHREAD_MUTEX_ROBUST
#endif

pthread_mutex_t mutex;

static void *keep(void *unused) {
    pthread_mutex_lock(&mutex);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, keep, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
}
