// A test-and-test-and-set lock, taken once by each thread; waiting, and trying again, is assuming. Source: Jonsson et
// al., FMCAD 2022, Table I; confirmed by an independent tool.
// check: -DN=2 --loops assume
// verdict: verified
// complete: 4
// blocked: 4
// check: -DN=3 --loops assume
// verdict: verified
// complete: 36
// blocked: 81
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

atomic_int lock;

static void *once(void *unused) {
    __VERIFIER_assume(atomic_load(&lock) == 0);
    __VERIFIER_assume(atomic_exchange(&lock, 1) == 0);
    atomic_store(&lock, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, once, 0);
    return 0;
}
