// N threads each load a private slot, then x, which another one stores. There are 2^N classes;
// classic begins (3^N+1)/2 executions if the writer goes first (J. ACM 64(4), Table 3).
// check: -DN=6
// verdict: verified
// complete: 64
// blocked: 0
// redundant: 0
// check: -DN=10 --first highest
// verdict: verified
// complete: 1024
// check: -DN=10 --first random --seed 7
// verdict: verified
// complete: 1024
// check: -DN=10 -O1
// verdict: verified
// complete: 1024
// check: -DN=8 --algorithm classic
// verdict: verified
// complete: 256
// begun: 3281
// check: -DN=8 --algorithm source
// verdict: verified
// complete: 256
// check: -DN=10 --algorithm reads-from
// verdict: verified
// complete: 1024
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, slot[N];

static void *writer(void *unused) {
    atomic_store(&x, 1);
    return 0;
}

static void *reader(void *argument) {
    long me = (long)argument;
    (void)atomic_load(&slot[me]);
    (void)atomic_load(&x);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, reader, (void *)i);
    return 0;
}
