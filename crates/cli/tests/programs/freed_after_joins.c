// Threads store to words of their own in an array that is freed once all of them have been joined, one of them by
// another: nobody can notice that, so the array does not become one variable, however large it is.
// check: -DN=6
// verdict: verified
// complete: 1
// check: -DN=6 --algorithm reads-from
// verdict: verified
// complete: 1
// redundant: 0
// check: -DN=6 -DSIZE=40 --algorithm reads-from
// verdict: verified
// complete: 1
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE N
#endif

atomic_long *array;

static void *store(void *argument) {
    atomic_store(&array[(long)argument], 1);
    return 0;
}

static void *store_after(void *argument) {
    pthread_t other;
    pthread_create(&other, 0, store, argument);
    pthread_join(other, 0);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    array = calloc(SIZE, sizeof *array);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, i == 0 ? store_after : store, (void *)i);
    for (long i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    free(array);
    return 0;
}
