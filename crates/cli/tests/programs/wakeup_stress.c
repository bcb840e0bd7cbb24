// A race whose second side waits for N threads that race as well. Source: J. ACM 64(4), Fig. 12 and Table 2: 2*N!.
// Nobody looks at the results: if additions commute, there is one execution.
// check: -DN=3 --commuting-adds off
// verdict: verified
// complete: 12
// redundant: 0
// check: -DN=5 --commuting-adds off
// verdict: verified
// complete: 240
// redundant: 0
// check: -DN=5 --commuting-adds off --algorithm source
// verdict: verified
// complete: 240
// redundant: 0
// check: -DN=5
// verdict: verified
// complete: 1
// check: -DN=5 --jobs 2
// verdict: verified
// complete: 1
#include <pthread.h>
#include <stdatomic.h>

atomic_int counter1, counter2;
pthread_t workers[N];

static void *first(void *unused) {
    atomic_fetch_add(&counter1, 1);
    return 0;
}

static void *worker(void *unused) {
    atomic_fetch_add(&counter2, 1);
    return 0;
}

static void *last(void *unused) {
    for (int i = 0; i < N; i++)
        pthread_join(workers[i], 0);
    atomic_fetch_add(&counter1, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, first, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&workers[i], 0, worker, 0);
    pthread_create(&thread, 0, last, 0);
    return 0;
}
