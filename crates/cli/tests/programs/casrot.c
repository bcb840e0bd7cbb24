// Thread i of 1...N: one compare-exchange of x from i-1 to i. Counts confirmed by an independent tool (OOPSLA 2019).
// check: -DN=8
// verdict: verified
// complete: 2048
// check: -DN=9
// verdict: verified
// complete: 8597
// check: -DN=8 --algorithm reads-from
// verdict: verified
// complete: 2048
// redundant: 0
// check: -DN=8 --algorithm observers
// verdict: verified
// complete: 2048
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *rotate(void *argument) {
    int i = (int)(long)argument;
    int expected = i - 1;
    atomic_compare_exchange_strong(&x, &expected, i);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long i = 1; i <= N; i++)
        pthread_create(&thread, 0, rotate, (void *)i);
    return 0;
}
