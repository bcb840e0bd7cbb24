// Thread i: a compare-exchange of x from 0 to 1, then a store of i+3. Count confirmed by an independent tool
// (OOPSLA 2019).
// check: -DN=5
// verdict: verified
// complete: 32880
// check: -DN=5 --algorithm reads-from
// verdict: verified
// complete: 2160
// redundant: 0
// check: -DN=5 --algorithm observers
// verdict: verified
// complete: 11430
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *exchange_and_store(void *argument) {
    int expected = 0;
    atomic_compare_exchange_strong(&x, &expected, 1);
    atomic_store(&x, (int)(long)argument + 3);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, exchange_and_store, (void *)i);
    return 0;
}
