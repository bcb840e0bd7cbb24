// One thread looks for the last zero of an array that others fill. Source: J. ACM 64(4), Fig. 11.
// check: -DN=5
// verdict: verified
// complete: 64
// redundant: 0
// check: -DN=5 --algorithm source
// verdict: verified
// complete: 64
// check: -DN=5 --algorithm classic
// verdict: verified
// complete: 64
// check: -DN=10
// verdict: verified
// complete: 3328
// check: -DN=10 --algorithm reads-from
// verdict: verified
// complete: 3328
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>

atomic_int array[N + 1];

static void *search(void *unused) {
    for (int i = N; atomic_load(&array[i]) != 0; i--)
        ;
    return 0;
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
