// Three threads add 1, 1 and 3 to x, and nobody looks at the results; one waits until x is 3. Source: FMCAD 2022, Fig. 5:
// if additions commute, it does not happen, or right after the addition of 3.
// check: --allow livelocks
// verdict: verified
// complete: 1
// blocked: 1
// check: --allow livelocks --algorithm source
// verdict: verified
// complete: 1
// blocked: 1
// check:
// verdict: bug
// bug: livelock
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *one(void *unused) {
    atomic_fetch_add(&x, 1);
    return 0;
}

static void *three(void *unused) {
    x += 3;
    return 0;
}

static void *waiter(void *unused) {
    while (x != 3) // <- bug
        ;
    y = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    pthread_create(&thread, 0, one, 0);
    pthread_create(&thread, 0, three, 0);
    pthread_create(&thread, 0, waiter, 0);
    pthread_join(thread, 0);
    return 0;
}
