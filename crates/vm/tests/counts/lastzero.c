// One thread looks for the last zero of an array that N others fill.
// optimal: -DN=5 64+0
// optimal: -DN=10 3328+0
#include <pthread.h>
#include <stdatomic.h>

atomic_int array[N + 1];

static void *search(void *unused) {
    int i = N;
    while (atomic_load(&array[i]) != 0)
        i--;
    return unused;
}

static void *fill(void *argument) {
    long j = (long)argument;
    atomic_store(&array[j], atomic_load(&array[j - 1]) + 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, search, 0);
    for (long j = 1; j <= N; j++)
        pthread_create(&thread, 0, fill, (void *)j);
    return 0;
}
