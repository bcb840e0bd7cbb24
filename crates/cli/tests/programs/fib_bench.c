// Two threads add each other's numbers N times; main, joining nobody, asserts that neither exceeds fib(2N+2). Counts
// confirmed by an independent tool (OOPSLA 2019).
// check: -DN=2
// verdict: verified
// complete: 140
// check: -DN=3
// verdict: verified
// complete: 1698
// check: -DN=4
// verdict: verified
// complete: 19605
// check: -DN=3 --algorithm reads-from
// verdict: verified
// complete: 1698
// redundant: 0
// check: -DN=3 --algorithm observers
// verdict: verified
// complete: 1698
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

static void *first(void *unused) {
    for (int k = 0; k < N; k++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return 0;
}

static void *second(void *unused) {
    for (int k = 0; k < N; k++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return 0;
}

static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    int largest = fibonacci(2 * N + 2);
    assert(atomic_load(&i) <= largest && atomic_load(&j) <= largest);
    return 0;
}
