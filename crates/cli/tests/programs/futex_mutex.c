// A mutex of 0 (free), 1 (locked) and 2 (locked, and others may wait), from "Futexes Are Tricky" by Ulrich Drepper (2011).
// Its unlock wakes one if it was 2; without that, or if a thread that waits does not say so, one is not woken.
// check:
// verdict: verified
// check: -DN=3 --algorithm observers
// verdict: verified
// check: -DNO_WAKE
// verdict: bug
// bug: deadlock
// check: -DNO_MARK
// verdict: bug
// bug: deadlock
// check: --memory-model rc11
// verdict: verified
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef N
#define N 2
#endif

atomic_int mutex;
int counter;

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&mutex, &seen, 1))
        return;
#ifdef NO_MARK
    while (seen = 0, !atomic_compare_exchange_strong(&mutex, &seen, 1))
        syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
#else
    if (seen != 2)
        seen = atomic_exchange(&mutex, 2);
    while (seen != 0) {
        syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
        seen = atomic_exchange(&mutex, 2);
    }
#endif
}

static void unlock(void) {
    if (atomic_exchange(&mutex, 0) == 2) {
#ifndef NO_WAKE
        syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#endif
    }
}

static void *thread(void *unused) {
    lock();
    counter++;
    unlock();
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(counter == N);
    return 0;
}
