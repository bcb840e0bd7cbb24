// What is called at the end is called once, by whoever ends the program first; _exit calls nothing.
// check:
// verdict: verified
// check: --algorithm source
// verdict: verified
// check: -DTWICE
// verdict: bug
// bug: assertion
// message: calls == 0
// check: -DHANGS
// verdict: bug
// bug: deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

atomic_int calls, x;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void handler(void) {
    assert(calls == 0);
    calls = 1;
}

static void hangs(void) {
    pthread_mutex_lock(&mutex);
}

static void *thread(void *unused) {
    if (x == 0)
        exit(0);
    _exit(0);
}

int main(void) {
    pthread_t threads[2];
    atexit(handler);
#ifdef TWICE
    atexit(handler);
#endif
#ifdef HANGS
    atexit(hangs);
    pthread_mutex_lock(&mutex);
#endif
    pthread_create(&threads[0], 0, thread, 0);
    pthread_create(&threads[1], 0, thread, 0);
    x = 1;
    pthread_join(threads[0], 0);
    assert(!"not reached");
}
