// Two threads add up Fibonacci numbers; the main thread checks the greatest.
// optimal: -DN=2 140+0
// optimal: -DN=3 1698+0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1, j = 1;

static void *first(void *unused) {
    for (int k = 0; k < N; k++) {
        int own = atomic_load(&i);
        int other = atomic_load(&j);
        atomic_store(&i, own + other);
    }
    return unused;
}

static void *second(void *unused) {
    for (int k = 0; k < N; k++) {
        int own = atomic_load(&j);
        int other = atomic_load(&i);
        atomic_store(&j, own + other);
    }
    return unused;
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) {
    pthread_t id;
    pthread_create(&id, 0, first, 0);
    pthread_create(&id, 0, second, 0);
    int limit = fib(2 * N + 2);
    if (atomic_load(&i) > limit || atomic_load(&j) > limit)
        assert(0);
    return 0;
}
