// Two threads increment x N times each, by a load and a store. Source of the counts: OOPSLA 2019, Table 4
// (race-parametric), which are those of this program.
// check: -DN=4
// verdict: verified
// complete: 3334
// redundant: 0
// check: -DN=4 --algorithm observers
// verdict: verified
// complete: 3334
// check: -DN=4 --algorithm reads-from
// verdict: verified
// complete: 1107
// redundant: 0
// check: -DN=5 --algorithm reads-from
// verdict: verified
// complete: 8953
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *increment(void *unused) {
    for (int i = 0; i < N; i++) {
        int value = atomic_load(&x);
        atomic_store(&x, value + 1);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, increment, 0);
    pthread_create(&second, 0, increment, 0);
    return 0;
}
