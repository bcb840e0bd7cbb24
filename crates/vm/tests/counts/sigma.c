// The main thread increments an index between spawns; the threads write where it points to.
// optimal: -DN=5 945+0
#include <pthread.h>
#include <stdatomic.h>

atomic_int index_, array[N];

static void *thread(void *unused) {
    atomic_store(&array[atomic_load(&index_)], 1);
    return unused;
}

int main(void) {
    pthread_t ids[N];
    atomic_store(&index_, -1);
    for (int i = 0; i < N; i++) {
        atomic_store(&index_, atomic_load(&index_) + 1);
        pthread_create(&ids[i], 0, thread, 0);
    }
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    return 0;
}
