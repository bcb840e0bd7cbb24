// The main thread increments an index between spawns; the threads write where it points to.
#include <pthread.h>
#include <stdatomic.h>

atomic_int index_of_next = -1;
atomic_int array[N];

static void *mark(void *unused) {
    atomic_store(&array[atomic_load(&index_of_next)], 1);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        atomic_store(&index_of_next, atomic_load(&index_of_next) + 1);
        pthread_create(&threads[i], 0, mark, 0);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
