// A divisor that another thread may not have set yet.
// check:
// verdict: bug
// bug: division-by-zero
#include <pthread.h>
#include <stdatomic.h>

atomic_int divisor;

static void *set(void *unused) {
    atomic_store(&divisor, 2);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int half = 10 / atomic_load(&divisor); // <- bug
    pthread_join(thread, 0);
    return half - 5;
}
