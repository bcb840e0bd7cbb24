// Threads that fail before they do anything that others could notice: while they start, while others do, and before
// the exploration does. What is after a failure of the same thread is not reached.
// check: --keep-going
// verdict: bug
// bugs: assertion assertion assertion division-by-zero
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int zero;

static void *at_once(void *unused) {
    assert(!"at once"); // <- one bug
    return 0;
}

static void *grandchild(void *divisor) {
    return (void *)(1 / (long)divisor); // <- one bug
}

static void *later(void *unused) {
    pthread_t thread;
    x = 1;
    pthread_create(&thread, 0, grandchild, 0);
    assert(!"after a start"); // <- one bug
    assert(!"not reached");
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, at_once, 0);
    pthread_create(&threads[1], 0, later, 0);
    assert(!"main"); // <- one bug
    x = 2;
    return 0;
}
