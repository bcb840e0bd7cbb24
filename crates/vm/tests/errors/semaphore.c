// bug: assertion failure at line 10
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
sem_t s;
atomic_int inside;
static void *thread(void *u) {
    sem_wait(&s);
    assert(atomic_fetch_add(&inside, 1) < 2);
    atomic_fetch_sub(&inside, 1);
    sem_post(&s);
    return u;
}
int main(void) {
    pthread_t t;
    sem_init(&s, 0, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&t, 0, thread, 0);
}
