// A thread is started, a variable is changed, and another thread is started: threads are numbered in the order in which
// they are started, and not in that in which it is known that they will be.
// bmc: --steps 10
// verdict: bug
// bug: assertion
// bmc: --steps 10 -DFIXED
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *first(void *unused) {
    y = x;
    return 0;
}

static void *second(void *unused) {
#ifdef FIXED
    assert(y <= 1);
#else
    assert(y == 0);
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    x = 1;
    pthread_create(&b, 0, second, 0);
    return 0;
}
