// A thread that waits for ever does not keep another one from ending the program: exit ends all. Two executions:
// the thread gets the mutex first, or the program ends with it.
// check:
// verdict: verified
// complete: 2
// blocked: 0
// check: --algorithm classic
// verdict: verified
// complete: 2
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

sem_t never;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *daemon_thread(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sem_wait(&never);
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, daemon_thread, 0);
    pthread_mutex_lock(&mutex);
    exit(0);
}
