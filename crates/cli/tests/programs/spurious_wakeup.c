// The waiting thread asks only once whether the condition holds, which is fine until it wakes up spuriously.
// check:
// verdict: verified
// check: --spurious-wakeups
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

static void *signal_once(void *unused) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, signal_once, 0);
    pthread_mutex_lock(&mutex);
    if (!ready)
        pthread_cond_wait(&changed, &mutex);
    assert(ready); // <- bug
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
