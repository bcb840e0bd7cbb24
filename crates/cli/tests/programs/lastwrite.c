// N threads store to x; main joins all, then reads x. Every order of the stores: N!.
// check: -DN=3
// verdict: verified
// complete: 6
// check: -DN=6
// verdict: verified
// complete: 720
// check: -DN=4 --algorithm source
// verdict: verified
// complete: 24
// check: -DN=7 --algorithm reads-from
// verdict: verified
// complete: 7
// redundant: 0
// check: -DN=6 --algorithm observers
// verdict: verified
// complete: 6
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *store(void *argument) {
    atomic_store(&x, (int)(long)argument);
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (long i = 0; i < N; i++)
        pthread_create(&thread[i], 0, store, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return atomic_load(&x) < 0;
}
