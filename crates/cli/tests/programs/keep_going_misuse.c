// Misuse that depends on who comes first: each of two threads may be the second to join, each of two may destroy what
// the other one has destroyed, and one may use what is made by another.
// check: --keep-going
// verdict: bug
// bugs: misuse misuse misuse misuse misuse
#include <pthread.h>
#include <semaphore.h>

pthread_t third;
sem_t late;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *nothing(void *unused) {
    return 0;
}

static void *one(void *unused) {
    pthread_join(third, 0); // <- one bug
    sem_init(&late, 0, 1);
    pthread_mutex_destroy(&mutex); // <- one bug
    return 0;
}

static void *two(void *unused) {
    pthread_join(third, 0); // <- one bug
    sem_post(&late); // <- one bug
    return 0;
}

static void *three(void *unused) {
    pthread_mutex_destroy(&mutex); // <- one bug
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&third, 0, nothing, 0);
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_create(&threads[2], 0, three, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
