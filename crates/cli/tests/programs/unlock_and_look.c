// A loop that unlocks a mutex, pauses, and locks it again is a loop that waits: it first locks the mutex before `main` does, or after.
// check:
// verdict: verified
// complete: 2
// check: -DNOBODY
// verdict: bug
// bug: livelock
// Both numbers can be missed, either, or none, as rounds that find a new one are not left out.
// check: -DCOUNTS
// verdict: verified
// check: -DCOUNTS -DWRONG=0
// verdict: bug
// bug: assertion
// check: -DCOUNTS -DWRONG=1
// verdict: bug
// bug: assertion
// check: -DCOUNTS -DWRONG=2
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#ifndef WRONG
#define WRONG 3
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int ready;

static void *look(void *unused) {
    int last = 0, seen = 0;
    pthread_mutex_lock(&mutex);
    while (ready < 2) {
        pthread_mutex_unlock(&mutex);
        usleep(100);
        pthread_mutex_lock(&mutex);
#ifdef COUNTS
        if (ready != last) {
            seen++;
            last = ready;
        }
#endif
    }
    pthread_mutex_unlock(&mutex);
    assert(seen != WRONG);
    return 0;
}

static void tell(int number) {
    pthread_mutex_lock(&mutex);
    ready = number;
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
#ifndef NOBODY
#ifdef COUNTS
    tell(1);
#endif
    tell(2);
#endif
    pthread_join(thread, 0);
    return 0;
}
