// N threads store to x, and main reads it without joining them. Every order of all N + 1 accesses: (N+1)!.
// check: -DN=3
// verdict: verified
// complete: 24
// check: -DN=5
// verdict: verified
// complete: 720
// check: -DN=16 --algorithm reads-from
// verdict: verified
// complete: 17
// redundant: 0
// check: -DN=5 --algorithm observers
// verdict: verified
// complete: 81
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *store(void *argument) {
    atomic_store(&x, (int)(long)argument);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, store, (void *)i);
    return atomic_load(&x) < 0;
}
