// The indexer of TACAS 2008, Table 1, after Flanagan and Godefroid: N threads (-DN=2) put four values each into a hash
// table, with compare-exchange. Property: all threads have completed, which is possible after 5N + 1 steps: four
// compare-exchanges and one store of each thread, and one load of the observer.
//
// bmc: -DN=2 --steps 10
// verdict: incomplete
// steps: 10
// bmc: -DN=2 --steps 11 --reduction full
// verdict: bug
// bug: assertion
// steps: 11
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#define SIZE 128
#define MAX 4

void reach_error(void);

atomic_int table[SIZE];
// A byte for each thread, which an observer sees all at once.
union {
    _Atomic uint8_t of[8];
    _Atomic uint64_t all;
} completed;

static void *indexer(void *argument) {
    int tid = (int)(intptr_t)argument;
    for (int m = 1; m <= MAX; m++) {
        int w = m * 11 + tid;
        unsigned h = (w * 7u) % SIZE;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[h], &empty, w))
                break;
            h = (h + 1) % SIZE;
        }
    }
    atomic_store(&completed.of[tid], 1);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, indexer, (void *)(intptr_t)i);
    if (atomic_load(&completed.all) == 0x0101010101010101u >> (64 - 8 * N))
        reach_error();
    return 0;
}
