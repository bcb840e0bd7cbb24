// Two threads pass numbers through a ring of 10 under one mutex, N times each. Counts confirmed by an independent
// tool (OOPSLA 2019).
// check: -DN=7
// verdict: verified
// complete: 3432
// check: -DN=7 --races
// verdict: verified
// complete: 3432
// check: -DN=8
// verdict: verified
// complete: 12870
// check: -DN=7 --algorithm reads-from
// verdict: verified
// complete: 3432
// redundant: 0
// check: -DN=7 --algorithm observers
// verdict: verified
// complete: 3432
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SIZE 10

int ring[SIZE], first, next, value;
bool send = true, receive = false;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *sender(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&mutex);
        if (send) {
            ring[next] = i;
            next = (next + 1) % SIZE;
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
            int taken = ring[first];
            first = (first + 1) % SIZE;
            assert(taken == value);
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
