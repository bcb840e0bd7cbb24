// To return from main ends the program, as exit does: threads that wait then, for a mutex that main holds or for each
// other, are in no deadlock. What they do before they wait can fail, for main may return later than that; what is ordered
// after something that never happens cannot. Two executions with one mutex: the thread gets it before main, or never.
// check:
// verdict: verified
// complete: 2
// blocked: 0
// check: --algorithm source
// verdict: verified
// complete: 2
// check: --leaks
// verdict: verified
// check: -DCROSSED
// verdict: verified
// check: -DLEAVES
// verdict: bug
// bug: deadlock
// check: -DFAILS
// verdict: bug
// bug: assertion
// message: early
// check: -DHANDLER
// verdict: verified
// check: --memory-model rc11
// verdict: verified
// check: --memory-model rc11 -DLEAVES
// verdict: bug
// bug: deadlock
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *first(void *unused) {
#ifdef FAILS
    assert(!"early");
#endif
    pthread_mutex_lock(&a);
    assert(x == 0); // main holds the mutex to its end
#ifdef CROSSED
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
#endif
    pthread_mutex_unlock(&a);
    return 0;
}

static void *second(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

static void handler(void) {
    x = 2;
}

int main(void) {
    pthread_t thread;
#ifdef HANDLER
    atexit(handler);
#endif
    pthread_create(&thread, 0, first, 0);
    pthread_detach(thread);
#ifdef CROSSED
    pthread_create(&thread, 0, second, 0);
#else
    pthread_mutex_lock(&a);
    x = 1;
#endif
#ifdef LEAVES
    pthread_exit(0);
#endif
    return 0;
}
