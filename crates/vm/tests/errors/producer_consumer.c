// bug: none
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
int slot, count;
static void *producer(void *u) {
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 1)
            pthread_cond_wait(&empty, &m);
        slot = i, count = 1;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&m);
    }
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, producer, 0);
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&full, &m);
        assert(slot == i);
        count = 0;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
}
