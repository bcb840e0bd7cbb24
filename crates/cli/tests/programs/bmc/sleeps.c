// Functions that only pass the time, and those that set what makes no difference, do nothing.
// bmc: --steps auto
// verdict: verified
// bmc: --steps auto -DWRONG
// verdict: bug
// bug: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static int x;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *_) {
    struct timespec moment = {0, 1};
    pthread_setname_np(pthread_self(), "sleeper");
    clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, 0);
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    thread(0);
    pthread_join(other, 0);
#ifdef WRONG
    assert(x == 1);
#else
    assert(x == 2);
#endif
}
