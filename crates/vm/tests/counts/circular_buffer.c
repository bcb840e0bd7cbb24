// Two threads pass numbers through a ring under one mutex.
// optimal: -DN=7 3432+0
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 10

int buffer[SIZE], first, next, value;
bool send = true, receive;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (send) {
            buffer[next] = i;
            next = (next + 1) % SIZE;
            value = i;
            send = false;
            receive = true;
        }
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&m);
        if (receive) {
            int got = buffer[first];
            first = (first + 1) % SIZE;
            assert(got == value);
            receive = false;
            send = true;
        }
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
