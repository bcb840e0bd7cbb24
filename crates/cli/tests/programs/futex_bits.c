// Those who wait at a futex may do so for some bits only, and are woken by those who wake for one of these.
// A reader sees 1 at once, or comes to wait and finds 1 before, between or after the two wake-ups, or waits until it is woken:
// five ways each, and readers do not get in each other's way. With one wake-up for both, four ways each.
// check:
// verdict: verified
// complete: 25
// check: --algorithm source
// verdict: verified
// complete: 25
// As graphs, who comes to wait is ordered among each other, too, and who finds 1 does not come before one that waits. Both
// come before the first wake-up in 2 + 2 + 2 ways, between in 2, after both in 2, and in different places in 10; one comes in 4 + 4,
// none in 1.
// check: --algorithm graphs
// verdict: verified
// complete: 29
// check: --memory-model rc11
// verdict: verified
// check: -DONE_FOR_BOTH
// verdict: verified
// complete: 16
// check: -DONE_FOR_BOTH -DMOST=1
// verdict: bug
// bug: deadlock
// check: -DSECOND=1
// verdict: bug
// bug: deadlock
// check: -DSECOND=1 --algorithm observers
// verdict: bug
// bug: deadlock
// check: -DSECOND=1 --algorithm reads-from
// verdict: bug
// bug: deadlock
// check: -DSECOND=1 --memory-model rc11
// verdict: bug
// bug: deadlock
// check: -DSECOND=1 -DTIMED
// verdict: verified
// check: -DSECOND=0xffffffff
// verdict: verified
// check: -DFIRST=0
// verdict: bug
// bug: assertion
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef FIRST
#define FIRST 1
#endif
#ifndef SECOND
#define SECOND 2
#endif
#ifndef MOST
#define MOST 2
#endif

atomic_int x;

static void wake(unsigned bits) {
    long woken = syscall(SYS_futex, &x, FUTEX_WAKE_BITSET_PRIVATE, MOST, 0, 0, bits);
    assert(woken >= 0 && woken <= MOST);
}

static void *wait(void *bits) {
    while (x == 0) {
#ifdef TIMED
        struct timespec limit = {1, 0};
        if (syscall(SYS_futex, &x, FUTEX_WAIT_BITSET_PRIVATE, 0, &limit, 0, (unsigned)(long)bits) != 0)
            break;
#else
        long result = syscall(SYS_futex, &x, FUTEX_WAIT_BITSET_PRIVATE, 0, 0, 0, (unsigned)(long)bits);
        assert(result == 0 || errno == EAGAIN);
#endif
    }
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, wait, (void *)1);
    pthread_create(&second, 0, wait, (void *)2);
    x = 1;
#ifdef ONE_FOR_BOTH
    wake(3);
#else
    wake(FIRST);
    wake(SECOND);
#endif
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
