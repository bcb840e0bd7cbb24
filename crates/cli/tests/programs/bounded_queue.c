// A queue of one place with a mutex and one condition variable: with two consumers, a signal may wake the wrong thread.
// check: -DBROADCAST
// verdict: verified
// check:
// verdict: bug
// bug: deadlock
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full;

static void change(int to) {
    pthread_mutex_lock(&mutex);
    while (full == to)
        pthread_cond_wait(&changed, &mutex);
    full = to;
#ifdef BROADCAST
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&mutex);
}

static void *consume(void *unused) {
    change(0);
    return 0;
}

static void *produce(void *unused) {
    change(1);
    return 0;
}

int main(void) {
    pthread_t consumers[2], producers[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&consumers[i], 0, consume, 0);
        pthread_create(&producers[i], 0, produce, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(consumers[i], 0);
        pthread_join(producers[i], 0);
    }
    return 0;
}
