// Lamport's fast mutex, waits as assumptions; complete and blocked together.
// total: -DN=2 32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int);

atomic_int x, y, b[N + 1], in;

static void *thread(void *argument) {
    int t = (int)(long)argument;
    while (1) {
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
    atomic_store(&in, t);
    assert(atomic_load(&in) == t);
    atomic_store(&y, 0);
    atomic_store(&b[t], 0);
    return 0;
}

int main(void) {
    pthread_t id;
    for (long i = 1; i <= N; i++)
        pthread_create(&id, 0, thread, (void *)i);
    return 0;
}
