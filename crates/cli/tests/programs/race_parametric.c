// Two threads store to x and load it, N times each. Source of the counts: OOPSLA 2019, Table 4 (race-parametric), which
// are those of this program in all three columns.
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

static void *store_and_load(void *number) {
    for (int i = 0; i < N; i++) {
        atomic_store(&x, (int)(long)number + i);
        (void)atomic_load(&x);
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, store_and_load, (void *)0);
    pthread_create(&second, 0, store_and_load, (void *)N);
    return 0;
}
