// Clients of ck_spinlock (Concurrency Kit): three threads count under a lock that backs off longer and longer.
// BROKEN: one of them does not take it.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

#define THREADS 3

static ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
static int count;

static void *add(void *number) {
#ifdef BROKEN
    if (number == 0) {
        count++;
        return number;
    }
#endif
    ck_spinlock_fas_lock_eb(&lock);
    count++;
    ck_spinlock_fas_unlock(&lock);
    return number;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(count == THREADS);
}
