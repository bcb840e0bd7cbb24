// A mutex is destroyed while a thread may hold it.
// check:
// verdict: bug
// bug: misuse
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, 0);
    pthread_mutex_destroy(&mutex);
    pthread_join(thread, 0);
    return 0;
}
