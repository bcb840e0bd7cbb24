// Two locks taken in opposite orders.
// check:
// verdict: bug
// bug: deadlock
// check: --algorithm naive
// verdict: bug
// bug: deadlock
// check: --algorithm pct --seed 3
// verdict: bug
// bug: deadlock
// check: --jobs 2
// verdict: bug
// bug: deadlock
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forwards(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // <- bug
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}

static void *backwards(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, forwards, 0);
    pthread_create(&second, 0, backwards, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
