// A thread looks up to so many times whether the other one has come before it gives up. However often that is, it finds something or does
// not, and there is one complete execution for either.
// check: -DUP
// verdict: verified
// complete: 2
// check: -DUP -O1
// verdict: verified
// complete: 2
// How often it looks may be known at run time only, and may be never.
// check: -DDOWN
// verdict: verified
// complete: 2
// check: -DDOWN -DFENCE
// verdict: verified
// complete: 2
// check: -DDOWN -DLOOKS=0
// verdict: verified
// complete: 1
// check: -DAT_LEAST_ONCE
// verdict: verified
// complete: 2
// A round that looks and then takes is not the same as many, since for an exchange to fail twice something has to change twice. So each
// look counts. The first of three finds something, or the second, the third or none.
// check: -DTAKES -DLOOKS=3
// verdict: verified
// complete: 4
// What it finds is found.
// check: -DUP -DWRONG
// verdict: bug
// bug: assertion
// So is that it finds nothing.
// check: -DDOWN -DHASTY
// verdict: bug
// bug: assertion
// If somebody wants to know how often it looked, each look counts. The first of three finds something, or the second, the third or none.
// check: -DUP -DLOOKS=3 -DTELLS
// verdict: verified
// complete: 4
// So it is if a look changes something that others see, because the other thread may come after two of three looks.
// check: -DUP -DLOOKS=3 -DCOUNTS
// verdict: verified
// check: -DUP -DLOOKS=3 -DCOUNTS -DNEVER_AFTER_TWO
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef LOOKS
#define LOOKS 1000
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
atomic_int items, looks;
int found, rounds, seen, most = LOOKS;

static void *produce(void *unused) {
#ifdef COUNTS
    __VERIFIER_atomic_begin();
    seen = atomic_load(&looks);
    atomic_store(&items, 1);
    __VERIFIER_atomic_end();
#else
    atomic_store(&items, 1);
#endif
    return unused;
}

static void consume(void) {
#if defined UP
    int i;
    for (i = 0; i < LOOKS; i++) {
#ifdef COUNTS
        __VERIFIER_atomic_begin();
        looks++;
        found = items;
        __VERIFIER_atomic_end();
        if (found)
            break;
#else
        if (atomic_load(&items)) {
            found = 1;
            break;
        }
#endif
    }
#ifdef TELLS
    rounds = i;
#endif
#elif defined DOWN
    int spin = most;
    while (--spin >= 0) {
        if (atomic_load(&items) > 0) {
            found = 1;
            return;
        }
        sched_yield();
#ifdef FENCE
        atomic_signal_fence(memory_order_acquire);
#endif
    }
#elif defined AT_LEAST_ONCE
    int left = LOOKS, here;
    do {
        here = atomic_load_explicit(&items, memory_order_relaxed);
        if (here)
            break;
    } while (--left);
    found = here;
#elif defined TAKES
    for (int spin = 0; spin < LOOKS; spin++) {
        int old = atomic_load(&items);
        if (old > 0 && atomic_compare_exchange_strong(&items, &old, old - 1)) {
            found = 1;
            return;
        }
    }
#endif
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    consume();
#ifdef WRONG
    assert(!found);
#endif
#ifdef HASTY
    assert(found);
#endif
    pthread_join(producer, 0);
#ifdef NEVER_AFTER_TWO
    assert(seen != 2);
#endif
}
