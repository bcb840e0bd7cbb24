// Each thread locks its own mutex and tries the other one; if that is locked, it unlocks its own and starts over. Tries
// that fail change nothing. Complete executions: one for each order of the two.
// check:
// verdict: verified
// complete: 2
// check: --algorithm source
// verdict: verified
// complete: 2
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int count;

static void add(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
    count++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *unused) {
    add(&b, &a);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    add(&a, &b);
    pthread_join(thread, 0);
    assert(count == 2);
}
