// N threads append to a list of N-2 slots; main joins all, then pops until it is empty. Counts confirmed by an
// independent tool (OOPSLA 2019).
// check: -DN=3
// verdict: verified
// complete: 63
// check: -DN=4
// verdict: verified
// complete: 2460
// check: -DN=3 --algorithm reads-from
// verdict: verified
// complete: 36
// redundant: 0
// check: -DN=4 --algorithm reads-from
// verdict: verified
// complete: 580
// redundant: 0
// check: -DN=3 --loops plain --algorithm observers
// verdict: verified
// complete: 36
// check: -DN=4 --loops plain --algorithm observers
// verdict: verified
// complete: 1048
#include <pthread.h>
#include <stdatomic.h>

atomic_int slot[N - 2], next;

static void *append(void *argument) {
    int i = atomic_load(&next);
    if (i < N - 2) {
        atomic_store(&slot[i], (int)(long)argument);
        atomic_store(&next, i + 1);
    }
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (long t = 0; t < N; t++)
        pthread_create(&thread[t], 0, append, (void *)t);
    for (int t = 0; t < N; t++)
        pthread_join(thread[t], 0);
    for (;;) {
        int i = atomic_load(&next);
        if (i == 0)
            return 0;
        while (atomic_load(&next) != i)
            ;
        atomic_store(&next, i - 1);
        (void)atomic_load(&slot[i - 1]);
    }
}
