// A futex wait has to be woken. Four executions: x is 1 when it is read; or the wait finds 1, before the wake or after it
// (who comes to wait changes the futex, and so does the wake); or the thread waits, and is woken.
// check:
// verdict: verified
// complete: 4
// check: --memory-model rc11
// verdict: verified
// check: -DLOST
// verdict: bug
// bug: deadlock
// check: -DLOST --memory-model rc11
// verdict: bug
// bug: deadlock
// check: -DTIMED
// verdict: verified
// check: -DTIMED -DLOST
// verdict: verified
// check: -DTWO
// verdict: bug
// bug: deadlock
// check: -DTWO -DALL
// verdict: verified
// check: -DTWO -DALL --algorithm source
// verdict: verified
// check: -DRELAXED --memory-model rc11
// verdict: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef ALL
#define MOST INT_MAX
#else
#define MOST 1
#endif
#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

atomic_int x;

static void *wake(void *unused) {
    atomic_store_explicit(&x, 1, ORDER);
#ifndef LOST
    long woken = syscall(SYS_futex, &x, FUTEX_WAKE_PRIVATE, MOST, 0, 0, 0);
    assert(woken >= 0 && woken <= 2);
#endif
    return 0;
}

static void *wait(void *unused) {
    while (atomic_load_explicit(&x, ORDER) == 0) {
#ifdef TIMED
        struct timespec limit = {1, 0};
        long result = syscall(SYS_futex, &x, FUTEX_WAIT_PRIVATE, 0, &limit, 0, 0);
        assert(result == 0 || errno == EAGAIN || errno == ETIMEDOUT);
        if (result != 0)
            break;
#else
        long result = syscall(SYS_futex, &x, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
        assert(result == 0 || errno == EAGAIN);
#endif
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, wake, 0);
#ifdef TWO
    pthread_create(&threads[1], 0, wait, 0);
#endif
    wait(0);
    pthread_join(threads[0], 0);
#ifdef TWO
    pthread_join(threads[1], 0);
#endif
    return 0;
}
