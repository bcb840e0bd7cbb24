// Lamport's fast mutex, taken once by each of N threads; waiting is an assumption.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

atomic_int x, y, inside;
atomic_int b[N + 1];

static void *take(void *argument) {
    int t = (int)(long)argument;
    for (;;) {
        atomic_store(&b[t], 1);
        atomic_store(&x, t);
        if (atomic_load(&y) != 0) {
            atomic_store(&b[t], 0);
            __VERIFIER_assume(atomic_load(&y) == 0);
            continue;
        }
        atomic_store(&y, t);
        if (atomic_load(&x) != t) {
            atomic_store(&b[t], 0);
            for (int j = 1; j <= N; j++)
                __VERIFIER_assume(atomic_load(&b[j]) == 0);
            if (atomic_load(&y) != t) {
                __VERIFIER_assume(atomic_load(&y) == 0);
                continue;
            }
        }
        break;
    }
    atomic_store(&inside, t);
    assert(atomic_load(&inside) == t);
    atomic_store(&y, 0);
    atomic_store(&b[t], 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long t = 1; t <= N; t++)
        pthread_create(&thread, 0, take, (void *)t);
    return 0;
}
