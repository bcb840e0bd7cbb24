// p writes x; q reads y, then x; r reads z, then x. Source: Abdulla et al., J. ACM 64(4), Fig. 1.
// check:
// verdict: verified
// complete: 4
// check: --algorithm source
// verdict: verified
// complete: 4
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;

static void *p(void *unused) {
    atomic_store(&x, 1);
    return 0;
}

static void *q(void *unused) {
    (void)atomic_load(&y);
    (void)atomic_load(&x);
    return 0;
}

static void *r(void *unused) {
    (void)atomic_load(&z);
    (void)atomic_load(&x);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, p, 0);
    pthread_create(&thread, 0, q, 0);
    pthread_create(&thread, 0, r, 0);
    return 0;
}
