// A test-and-test-and-set lock that spins, taken once by each thread. Source: FMCAD 2022, Table I (ttaslock); those of two
// threads were confirmed by an independent tool.
// check: -DN=2
// verdict: verified
// complete: 4
// blocked: 0
// check: -DN=3
// verdict: verified
// complete: 36
// blocked: 0
// check: -DN=4
// verdict: verified
// complete: 576
// blocked: 0
// check: -DN=2 --loops assume
// verdict: verified
// complete: 4
// blocked: 4
// check: -DN=3 --loops assume
// verdict: verified
// complete: 36
// blocked: 81
// check: -DN=4 --loops assume
// verdict: verified
// complete: 576
// blocked: 2308
// large columns: -DN=4 | - | 576+2308 | 576 | 576
// paper: 20760+29440 | 576+2308 | 576 | 576
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;

static void *once(void *unused) {
    do {
        while (atomic_load(&lock) != 0)
            ;
    } while (atomic_exchange(&lock, 1) != 0);
    atomic_store(&lock, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, once, 0);
    return 0;
}
