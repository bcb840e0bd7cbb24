// Groups of four threads; one way of five starts the next group. Source: J. ACM 64(4), Fig. 10 and Table 1: 4N+1
// classes, and source sets begin redundant executions. As printed in Fig. 10, s always reads y, and there are 6N+1 classes;
// those of Table 1 are of this program, in which s reads y only if it read z = 1.
// check: -DN=1
// verdict: verified
// complete: 5
// redundant: 0
// check: -DN=6
// verdict: verified
// complete: 25
// redundant: 0
// check: -DN=6 --algorithm source
// verdict: verified
// complete: 25
#include <pthread.h>
#include <stdatomic.h>

atomic_int x[N], y[N], z[N];

static void start(long group);

static void *p(void *argument) {
    long i = (long)argument;
    if (atomic_load(&x[i]) == 1 && i + 1 < N)
        start(i + 1);
    return 0;
}

static void *q(void *argument) {
    atomic_store(&y[(long)argument], 1);
    return 0;
}

static void *r(void *argument) {
    long i = (long)argument;
    if (atomic_load(&y[i]) == 0)
        atomic_store(&z[i], 1);
    return 0;
}

static void *s(void *argument) {
    long i = (long)argument;
    if (atomic_load(&z[i]) == 1 && atomic_load(&y[i]) == 0)
        atomic_store(&x[i], 1);
    return 0;
}

static void start(long group) {
    pthread_t thread;
    pthread_create(&thread, 0, q, (void *)group);
    pthread_create(&thread, 0, r, (void *)group);
    pthread_create(&thread, 0, s, (void *)group);
}

int main(void) {
    pthread_t thread;
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, p, (void *)i);
    start(0);
    return 0;
}
