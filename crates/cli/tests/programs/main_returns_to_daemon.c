// A thread that polls until the program ends is no livelock once main has returned.
// check:
// verdict: verified
// complete: 0
// blocked: 1
// check: --loops assume
// verdict: verified
// check: -DJOINS
// verdict: bug
// bug: livelock
#include <pthread.h>
#include <stdatomic.h>

atomic_int work, done;

static void *daemon_thread(void *unused) {
    while (!atomic_load(&work))
        ;
    atomic_store(&done, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, daemon_thread, 0);
#ifdef JOINS
    pthread_join(thread, 0);
#endif
    return 0;
}
