// A bounded queue between a producer and a consumer, with two condition variables.
#include <pthread.h>
#include <stdio.h>

enum { SIZE = 3, COUNT = 10 };
static int slots[SIZE], head, tail;
static pthread_mutex_t mutex;
static pthread_cond_t not_full, not_empty;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= COUNT; i++) {
        pthread_mutex_lock(&mutex);
        while (head - tail == SIZE) pthread_cond_wait(&not_full, &mutex);
        slots[head++ % SIZE] = i * i;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static void *consume(void *sum) {
    for (int i = 0; i < COUNT; i++) {
        pthread_mutex_lock(&mutex);
        while (head == tail) pthread_cond_wait(&not_empty, &mutex);
        int value = slots[tail++ % SIZE];
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&mutex);
        printf("%d\n", value);
        *(int *)sum += value;
    }
    return NULL;
}

int main(void) {
    pthread_mutex_init(&mutex, NULL);
    pthread_cond_init(&not_full, NULL);
    pthread_cond_init(&not_empty, NULL);
    pthread_t a, b;
    int sum = 0;
    pthread_create(&a, NULL, consume, &sum);
    pthread_create(&b, NULL, produce, NULL);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    printf("%d\n", sum);
    pthread_cond_destroy(&not_empty);
    pthread_cond_destroy(&not_full);
    pthread_mutex_destroy(&mutex);
    return 0;
}
