// The condition is not looked at before waiting, so that a signal can come too early.
// check: --memory-model=sc
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool done;

static void *worker(void *arg) {
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_mutex_unlock(&mutex);
    pthread_cond_signal(&ready);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
