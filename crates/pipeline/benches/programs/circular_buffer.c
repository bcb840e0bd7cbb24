// A ring that two threads use under one mutex, N times each.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SLOTS 10

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ring[SLOTS];
static int first, next;
static int value;
static bool send = true;
static bool receive = false;

static void *sender(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        if (send) {
            ring[next] = i;
            next = (next + 1) % SLOTS;
            value = i;
            send = false;
            receive = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

static void *receiver(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        if (receive) {
            assert(ring[first] == value);
            first = (first + 1) % SLOTS;
            receive = false;
            send = true;
        }
        pthread_mutex_unlock(&mutex);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, sender, 0);
    pthread_create(&threads[1], 0, receiver, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
