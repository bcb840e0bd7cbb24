// p waits until x is 1, by assuming it; q stores 1, then 2. Source: FMCAD 2022: one complete execution, two blocked.
// check: --loops assume
// verdict: verified
// complete: 1
// blocked: 2
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

atomic_int x;

static void *p(void *unused) {
    __VERIFIER_assume(atomic_load(&x) == 1);
    return 0;
}

static void *q(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, p, 0);
    pthread_create(&thread, 0, q, 0);
    return 0;
}
