// pthread-ext: a spin lock made of a test and set in an atomic function, with any number of threads, here three; and one
// whose test and set are apart.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DAPART
// verdict: bug
// check: --property no-data-race
// verdict: verified
#include "verifier.h"
static unsigned lock;
static int c;
#ifdef APART
static void acquire(void) {
    unsigned old;
    do {
        __VERIFIER_atomic_begin();
        old = lock;
        __VERIFIER_atomic_end();
    } while (old);
    __VERIFIER_atomic_begin();
    lock = 1;
    __VERIFIER_atomic_end();
}
#else
static void __VERIFIER_atomic_set(unsigned *old) {
    *old = lock;
    lock = 1;
}
static void acquire(void) {
    unsigned old;
    do
        __VERIFIER_atomic_set(&old);
    while (old == 1);
}
#endif
static void __VERIFIER_atomic_clear(void) { lock = 0; }
static void *thread(void *arg) {
    acquire();
    c++;
    check(c == 1);
    c--;
    __VERIFIER_atomic_clear();
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, thread, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
