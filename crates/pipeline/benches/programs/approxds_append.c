// A list with too few slots that N threads append to without care, emptied by the main thread.
#include <pthread.h>
#include <stdatomic.h>

atomic_int next;
atomic_int slot[N];

static void *append(void *argument) {
    int i = atomic_load(&next);
    if (i < N - 2) {
        atomic_store(&slot[i], (int)(long)argument);
        atomic_store(&next, i + 1);
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, append, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    for (;;) {
        int i = atomic_load(&next);
        if (i == 0)
            break;
        while (atomic_load(&next) != i) {
        }
        atomic_store(&next, i - 1);
    }
    return 0;
}
