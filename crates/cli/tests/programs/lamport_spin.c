// Lamport's fast mutex, taken once by each of N threads, which wait in loops. The counts were confirmed by an independent
// tool; those by reads-from are of lamport.c, where the waits are assumptions.
// check: -DN=2
// verdict: verified
// complete: 16
// blocked: 0
// check: -DN=3
// verdict: verified
// complete: 9216
// blocked: 0
// check: -DN=2 --loops assume --algorithm reads-from
// verdict: verified
// complete: 12
// blocked: 10
// check: -DN=3 --loops assume --algorithm reads-from
// verdict: verified
// complete: 3942
// blocked: 4233
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int b[N + 1], x, y, in;

static void take(int t) {
    for (;;) {
        atomic_store(&b[t], 1);
        atomic_store(&x, t);
        if (atomic_load(&y) != 0) {
            atomic_store(&b[t], 0);
            while (atomic_load(&y) != 0)
                ;
            continue;
        }
        atomic_store(&y, t);
        if (atomic_load(&x) != t) {
            atomic_store(&b[t], 0);
            for (int j = 1; j <= N; j++)
                while (atomic_load(&b[j]) != 0)
                    ;
            if (atomic_load(&y) != t) {
                while (atomic_load(&y) != 0)
                    ;
                continue;
            }
        }
        return;
    }
}

static void leave(int t) {
    atomic_store(&y, 0);
    atomic_store(&b[t], 0);
}

static void *once(void *argument) {
    int t = (int)(long)argument;
    take(t);
    atomic_store(&in, t);
    assert(atomic_load(&in) == t);
    leave(t);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long t = 1; t <= N; t++)
        pthread_create(&thread, 0, once, (void *)t);
    return 0;
}
