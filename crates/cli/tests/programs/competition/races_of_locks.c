// goblint-regression: which lock guards what: the same, another, one of an array by the same index, one that is held by
// the caller, one that was unlocked in a branch, a recursive one, a spin lock, one of two that are held.
// check: --property no-data-race -DSAME
// verdict: verified
// check: --property no-data-race -DOTHER
// verdict: bug
// check: --property no-data-race -DARRAY
// verdict: verified
// check: --property no-data-race -DARRAY -DWRONG
// verdict: bug
// check: --property no-data-race -DCALLER
// verdict: verified
// check: --property no-data-race -DBRANCH
// verdict: bug
// check: --property no-data-race -DRECURSIVE
// verdict: verified
// check: --property no-data-race -DRECURSIVE -DWRONG
// verdict: bug
// check: --property no-data-race -DSPIN
// verdict: verified
// check: --property no-data-race -DREAD
// verdict: verified
// check: --property no-data-race -DREAD -DWRONG
// verdict: bug
// check: --property no-data-race -DTRY
// verdict: verified
// check: --property no-data-race -DTRY -DWRONG
// verdict: bug
#include "verifier.h"
static int g;
MUTEX(a);
MUTEX(b);
static pthread_mutex_t each[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int slots[2];
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_mutex_t recursive;
static void add(void) { g++; }
static void *one(void *arg) {
#if defined(SAME) || defined(OTHER) || defined(CALLER) || defined(BRANCH)
    LOCK(a);
    add();
    UNLOCK(a);
#elif defined(ARRAY)
    for (int i = 0; i < 2; i++) {
        LOCK(each[i]);
        slots[i]++;
        UNLOCK(each[i]);
    }
#elif defined(RECURSIVE)
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
#ifdef WRONG
    pthread_mutex_unlock(&recursive);
    g++;
#else
    g++;
    pthread_mutex_unlock(&recursive);
#endif
#elif defined(SPIN)
    pthread_spin_lock(&spin);
    g++;
    pthread_spin_unlock(&spin);
#elif defined(READ)
    pthread_rwlock_rdlock(&rw);
    int seen = g;
    (void)seen;
#ifdef WRONG
    g = 1;
#endif
    pthread_rwlock_unlock(&rw);
#elif defined(TRY)
    if (pthread_mutex_trylock(&a) == 0) {
        g++;
        UNLOCK(a);
    }
#ifdef WRONG
    else
        g = 7;
#endif
#endif
    return 0;
}
static void *two(void *arg) {
#if defined(SAME) || defined(CALLER)
    LOCK(a);
    add();
    UNLOCK(a);
#elif defined(OTHER)
    LOCK(b);
    add();
    UNLOCK(b);
#elif defined(BRANCH)
    LOCK(a);
    int unlocked = __VERIFIER_nondet_bool();
    if (unlocked)
        UNLOCK(a);
    g++;
    if (!unlocked)
        UNLOCK(a);
#elif defined(ARRAY)
    for (int i = 0; i < 2; i++) {
#ifdef WRONG
        LOCK(each[1 - i]);
        slots[i]++;
        UNLOCK(each[1 - i]);
#else
        LOCK(each[i]);
        slots[i]++;
        UNLOCK(each[i]);
#endif
    }
#else
    return one(arg);
#endif
    return 0;
}
int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    pthread_spin_init(&spin, 0);
    pthread_t x, y;
    pthread_create(&x, 0, one, 0);
    pthread_create(&y, 0, two, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
}
