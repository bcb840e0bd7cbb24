// A thread that locks both mutexes by backing off, and one that sees it back off: the first mutex is locked, and then it is
// not, while the second one is not free. So the try that failed must not be left out.
// check: --spin-rounds 2
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    for (;;) {
        pthread_mutex_lock(&a);
        if (pthread_mutex_trylock(&b) == 0)
            break;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    pthread_mutex_lock(&b);
    int first = pthread_mutex_trylock(&a);
    int second = first ? pthread_mutex_trylock(&a) : 1;
    if (!first || !second)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(thread, 0);
    assert(!(first && !second)); // <- bug
}
