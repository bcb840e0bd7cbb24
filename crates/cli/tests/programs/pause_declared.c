// A thread that looks, and pauses at every tenth look, for a time that it writes down there: one execution.
// check:
// verdict: verified
// complete: 1
// check: -DNOBODY
// verdict: bug
// bug: livelock
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *looks(void *unused) {
    int looks = 0;
    while (!atomic_load(&ready)) {
        if (++looks == 10) {
            struct timespec pause = {0, 1000};
            nanosleep(&pause, NULL);
            looks = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, looks, 0);
#ifndef NOBODY
    atomic_store(&ready, 1);
#endif
    pthread_join(thread, 0);
    return 0;
}
