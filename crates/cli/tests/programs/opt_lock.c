// Two threads, up to N times: x = t; y = 1; if x = t then read y and stop. (OOPSLA 2019)
// check: -DN=11 --max-executions 1000
// verdict: incomplete
// cut: the limit of 1000 executions was reached
// complete: 1000
// check: -DN=11 --algorithm reads-from
// verdict: verified
// complete: 127
// redundant: 0
// check: -DN=13 --algorithm reads-from
// verdict: verified
// complete: 151
// redundant: 0
// check: -DN=100 --algorithm reads-from
// verdict: verified
// complete: 1195
// redundant: 0
// check: -DN=11 --algorithm observers
// verdict: verified
// complete: 170
// check: -DN=13 --algorithm observers
// verdict: verified
// complete: 202
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *attempt(void *argument) {
    int t = (int)(long)argument;
    for (int k = 0; k < N; k++) {
        atomic_store(&x, t);
        atomic_store(&y, 1);
        if (atomic_load(&x) == t) {
            (void)atomic_load(&y);
            return 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, attempt, (void *)0);
    pthread_create(&thread, 0, attempt, (void *)1);
    return 0;
}
