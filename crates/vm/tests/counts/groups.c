// Groups of threads; a group starts the next one in one case of five.
// optimal: -DN=3 13+0
// optimal: -DN=8 33+0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x[N], y[N], z[N];
pthread_t id;

static void *q(void *argument) {
    atomic_store(&y[(long)argument], 1);
    return 0;
}

static void *r(void *argument) {
    long g = (long)argument;
    if (atomic_load(&y[g]) == 0)
        atomic_store(&z[g], 1);
    return 0;
}

static void *s(void *argument) {
    long g = (long)argument;
    if (atomic_load(&z[g]) == 1 && atomic_load(&y[g]) == 0)
        atomic_store(&x[g], 1);
    return 0;
}

static void *p(void *argument) {
    long g = (long)argument;
    pthread_t other;
    if (atomic_load(&x[g]) == 1 && g + 1 < N) {
        pthread_create(&other, 0, q, (void *)(g + 1));
        pthread_create(&other, 0, r, (void *)(g + 1));
        pthread_create(&other, 0, s, (void *)(g + 1));
    }
    return 0;
}

int main(void) {
    pthread_t other;
    for (long g = 0; g < N; g++)
        pthread_create(&other, 0, p, (void *)g);
    pthread_create(&other, 0, q, (void *)0);
    pthread_create(&other, 0, r, (void *)0);
    pthread_create(&other, 0, s, (void *)0);
    return 0;
}
