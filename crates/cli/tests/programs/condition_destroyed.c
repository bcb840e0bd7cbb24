// Those who are about to wake up have no more need of the condition variable.
// check:
// verdict: verified
// blocked: 0
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *condition;
int is_done;

static void *waits(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!is_done)
        pthread_cond_wait(condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    condition = malloc(sizeof *condition);
    pthread_cond_init(condition, 0);
    pthread_create(&threads[0], 0, waits, 0);
    pthread_create(&threads[1], 0, waits, 0);
    pthread_mutex_lock(&mutex);
    is_done = 1;
    pthread_cond_broadcast(condition);
    pthread_cond_destroy(condition);
    free(condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
