// What a thread assumes, or spins for, and what never comes: that it looks is in a race with what others write nevertheless, and what
// it looks at must still be there.
// check: --property no-data-race -DASSUMES
// verdict: bug
// bug: data-race
// check: --property no-data-race -DABORTS
// verdict: bug
// bug: data-race
// check: --property no-data-race -DSPINS
// verdict: bug
// bug: data-race
// check: --property no-data-race -DASSUMES -DATOMIC
// verdict: bug
// bug: data-race
// check: --property no-data-race -DABORTS -DATOMIC
// verdict: bug
// bug: data-race
// check: --property no-data-race -DSPINS -DATOMIC
// verdict: bug
// bug: data-race
// check: --property no-data-race -DSPINS -DATOMIC -DBOTH
// verdict: verified
// check: --property no-data-race -DASSUMES -DLOCKED
// verdict: verified
// check: --property valid-memsafety -DFREED -DASSUMES
// verdict: bug
// bug: use-after-free
// check: --property valid-memsafety -DFREED -DABORTS
// verdict: bug
// bug: use-after-free
// check: --property valid-memsafety -DFREED -DSPINS
// verdict: bug
// bug: use-after-free
// check: --property valid-memsafety -DASSUMES
// verdict: verified
#include "verifier.h"

static int *number;
MUTEX(m);

#ifdef ATOMIC
#define NUMBER __atomic_load_n(number, __ATOMIC_SEQ_CST)
#else
#define NUMBER *number
#endif

static void *thread(void *arg) {
#ifdef LOCKED
    LOCK(m);
#endif
#if defined(ASSUMES)
    __VERIFIER_assume(NUMBER == 0);
#elif defined(ABORTS)
    if (NUMBER)
        abort();
#else
    while (NUMBER)
        ;
#endif
#ifdef LOCKED
    UNLOCK(m);
#endif
    return 0;
}

int main(void) {
    static int one = 1;
    pthread_t created;
    number = &one;
#ifdef FREED
    number = malloc(sizeof *number);
    *number = 1;
#endif
    pthread_create(&created, 0, thread, 0);
#ifdef FREED
    free(number);
#else
#ifdef LOCKED
    LOCK(m);
#endif
#ifdef BOTH
    __atomic_store_n(number, 2, __ATOMIC_SEQ_CST);
#else
    *number = 2;
#endif
#ifdef LOCKED
    UNLOCK(m);
#endif
#endif
    return 0;
}
