// Two threads sort three numbers, and wait for each other in loops. Source: FMCAD 2022, Fig. 1: one execution if waiting
// is waiting; two more if it is assuming, confirmed by an independent tool.
// check:
// verdict: verified
// complete: 1
// blocked: 0
// check: --algorithm source
// verdict: verified
// complete: 1
// blocked: 0
// check: --loops assume
// verdict: verified
// complete: 1
// blocked: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int x[3] = {3, 2, 1};
atomic_int y;

static void sort(int i) {
    if (x[i] > x[i + 1]) {
        int kept = x[i];
        x[i] = x[i + 1];
        x[i + 1] = kept;
    }
}

static void *p(void *unused) {
    int b;
    sort(0);
    atomic_store(&y, 1);
    do
        b = atomic_load(&y);
    while (b != 2);
    sort(0);
    assert(x[0] == 1 && x[1] == 2 && x[2] == 3);
    return 0;
}

static void *q(void *unused) {
    int a;
    do
        a = atomic_load(&y);
    while (a != 1);
    sort(1);
    atomic_store(&y, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, p, 0);
    pthread_create(&thread, 0, q, 0);
    return 0;
}
