// One of N threads sets a flag, and another waits for that. Whatever is stored ends the wait, and is the flag's value then:
// N executions by where the wait's value comes from. With observers, the stores that come before the wait count
// as a set, and so does which of them is the last one: for N = 4 that is the sum of k * (4 over k), 4 * 2^3. Otherwise
// all orders count in which the wait is not the first one: 5! - 4!.
// check: -DN=4
// verdict: verified
// complete: 96
// blocked: 0
// check: -DN=4 --algorithm observers
// verdict: verified
// complete: 32
// blocked: 0
// redundant: 0
// check: -DN=4 --loops await --algorithm reads-from
// verdict: verified
// complete: 4
// blocked: 0
// redundant: 0
// check: -DN=12 --loops await --algorithm reads-from
// verdict: verified
// complete: 12
// blocked: 0
// redundant: 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *set(void *number) {
    atomic_store(&flag, (int)(long)number);
    return 0;
}

static void *wait(void *unused) {
    int found;
    while ((found = atomic_load(&flag)) == 0)
        ;
    assert(found <= N);
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, set, (void *)(i + 1));
    pthread_create(&threads[N], 0, wait, 0);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], 0);
}
