// main raises an index and starts a thread that stores where the index points, N times; then joins all. Counts
// confirmed by an independent tool (OOPSLA 2019).
// check: -DN=5
// verdict: verified
// complete: 945
// check: -DN=6
// verdict: verified
// complete: 10395
// check: -DN=6 --algorithm reads-from
// verdict: verified
// complete: 720
// redundant: 0
// check: -DN=5 --algorithm observers
// verdict: verified
// complete: 120
// check: -DN=6 --algorithm observers
// verdict: verified
// complete: 720
#include <pthread.h>
#include <stdatomic.h>

atomic_int index_ = -1, array[N];

static void *mark(void *unused) {
    atomic_store(&array[atomic_load(&index_)], 1);
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++) {
        atomic_store(&index_, atomic_load(&index_) + 1);
        pthread_create(&thread[i], 0, mark, 0);
    }
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
