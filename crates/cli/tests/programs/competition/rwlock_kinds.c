// A read-write lock: a writer that only reads it, or tries it.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DREADS
// verdict: bug
// check: --property no-data-race -DREADS
// verdict: bug
// check: --property no-data-race -DTRIES
// verdict: verified
#include "verifier.h"
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;
static void *writer(void *arg) {
#if defined(READS)
    pthread_rwlock_rdlock(&lock);
#elif defined(TRIES)
    if (pthread_rwlock_trywrlock(&lock))
        return 0;
#else
    pthread_rwlock_wrlock(&lock);
#endif
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    return 0;
}
static void *reader(void *arg) {
    pthread_rwlock_rdlock(&lock);
    int x = a, y = b;
    pthread_rwlock_unlock(&lock);
    check(x == y);
    return 0;
}
TWO_THREADS(writer, reader)
