// Phases of a computation that are separated by a barrier.
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 4 };
static int cells[2][THREADS] = {{1, 2, 3}};
static int serial[THREADS];
static pthread_barrier_t barrier;

static void *work(void *argument) {
    int me = *(int *)argument;
    for (int round = 0; round < ROUNDS; round++) {
        const int *from = cells[round % 2];
        int *to = cells[(round + 1) % 2];
        to[me] = from[me] + from[(me + 1) % THREADS] * (me + 1);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) serial[me]++;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int ids[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, work, &ids[i]);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < THREADS; i++) printf("%d ", cells[ROUNDS % 2][i]);
    printf("%d\n", serial[0] + serial[1] + serial[2]);
    return 0;
}
