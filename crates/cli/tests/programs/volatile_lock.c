// Locks of variables that are volatile, in atomic sections and in functions that are atomic as a whole. A round that finds the
// lock taken does nothing, though it stores that it is. The attempts of both threads come in either order: the second one of a
// thread that has failed is the one that waits. Optimised, the functions stay atomic.
// check: --property unreach-call -DTEST_AND_SET
// verdict: verified
// check: --property unreach-call -DTEST_AND_SET -O1
// verdict: verified
// check: --property unreach-call -DTEST_AND_SET -O2
// verdict: verified
// check: --property unreach-call -DFOUND
// verdict: verified
// check: --property unreach-call -DFOUND -O2
// verdict: verified
// check: --property unreach-call -DSECTION
// verdict: verified
// check: --property unreach-call -DSECTION -O1
// verdict: verified
// check: --property unreach-call -DBACK_OFF
// verdict: verified
// check: --property unreach-call -DCOMPARE
// verdict: verified
// check: --property unreach-call -DCOMPARE -O1
// verdict: verified
// check: --property unreach-call -DNOT_ATOMIC
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

volatile int lock;
int counter;

#if defined TEST_AND_SET
void __VERIFIER_atomic_test_and_set(volatile int *word, int *succeeds) {
    if (*word) {
        *succeeds = 0;
    } else {
        *word = 1;
        *succeeds = 1;
    }
}

static void acquire(void) {
    int succeeds;
    do {
        __VERIFIER_atomic_test_and_set(&lock, &succeeds);
    } while (!succeeds);
}
#elif defined FOUND
void __VERIFIER_atomic_exchange(volatile int *word, volatile int *found) {
    *found = *word;
    *word = 1;
}

static void acquire(void) {
    volatile int found;
    __VERIFIER_atomic_exchange(&lock, &found);
    while (found == 1)
        __VERIFIER_atomic_exchange(&lock, &found);
}
#elif defined COMPARE
static void __VERIFIER_atomic_compare_exchange(volatile int *word, int from, int to, int *succeeds) {
    *succeeds = *word == from;
    if (*succeeds)
        *word = to;
}

static void acquire(void) {
    int succeeds = 0;
    while (!succeeds)
        __VERIFIER_atomic_compare_exchange(&lock, 0, 1, &succeeds);
}
#else
static void acquire(void) {
    int found, delay = 1;
    do {
#ifndef NOT_ATOMIC
        __VERIFIER_atomic_begin();
#endif
        found = lock;
        lock = 1;
#ifndef NOT_ATOMIC
        __VERIFIER_atomic_end();
#endif
#ifdef BACK_OFF
        for (volatile int i = 0; i < delay; i++)
            ;
        delay *= 2;
#endif
    } while (found == 1);
}
#endif

static void release(void) {
    __VERIFIER_atomic_begin();
    lock = 0;
    __VERIFIER_atomic_end();
}

static void *thread(void *unused) {
    acquire();
    int before = counter;
    counter = before + 1;
    release();
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread, 0);
    pthread_create(&threads[1], 0, thread, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(counter == 2);
    return 0;
}
