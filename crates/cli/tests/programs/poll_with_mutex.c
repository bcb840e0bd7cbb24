// Threads that look at a variable under a mutex until it is set. A round that does not find it set changes nothing, so
// it is explored once, and the thread is stopped after it has unlocked. Two readers and the writer take the mutex once
// each, in 3! orders; those after the writer end: both in 2 of them, and not both in 4.
// check:
// verdict: verified
// complete: 2
// blocked: 4
// check: -DNOBODY
// verdict: bug
// bug: livelock
// check: -DTRIES --spin-rounds 2
// verdict: incomplete
// cut: loops were cut
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

static void *reader(void *unused) {
    int found;
    do {
        pthread_mutex_lock(&mutex);
        found = done;
        pthread_mutex_unlock(&mutex);
    } while (!found);
    return 0;
}

int main(void) {
    pthread_t thread;
#ifdef TRIES
    // Somebody who looks whether the mutex is locked notices rounds that do nothing else.
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
#endif
#ifndef NOBODY
    pthread_create(&thread, 0, writer, 0);
#endif
    pthread_create(&thread, 0, reader, 0);
    pthread_create(&thread, 0, reader, 0);
    pthread_join(thread, 0);
    return 0;
}
