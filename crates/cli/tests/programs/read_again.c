// Loops that begin with a value and read it again at the end of each round, through `unlikely`, with a number of tries
// that nobody looks at, and a pointer: each is one wait, so there is one execution. As assumptions, each of the two readers
// may stop at any of the values before the last: (3 + 1) * (3 + 1) = 16 ways for the first loop.
// check: -DFIRST
// verdict: verified
// complete: 1
// blocked: 0
// check: -DFIRST --loops assume
// verdict: verified
// complete: 1
// blocked: 15
// check: -DEXPECT
// verdict: verified
// complete: 1
// blocked: 0
// check: -DCOUNTS
// verdict: verified
// complete: 1
// blocked: 0
// check: -DPOINTER
// verdict: verified
// complete: 1
// blocked: 0
// check: -DASSUMES
// verdict: verified
// complete: 1
// blocked: 0
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define unlikely(x) __builtin_expect(!!(x), 0)

void __VERIFIER_assume(intptr_t);

static atomic_int x = 3, y;
static _Atomic(int *) p;
static int target;

static void *writer(void *unused) {
    x = 2;
    x = 1;
    y = 1;
    atomic_store(&p, &target);
    x = 0;
    return 0;
}

static void *reader(void *unused) {
#if defined FIRST
    int a = x;
    while (a)
        a = x;
#elif defined EXPECT
    while (unlikely(x != 0))
        ;
#elif defined COUNTS
    int all = 0, tries = 0;
    while (x) {
        all++;
        if (++tries > 10) {
            sched_yield();
            tries = 0;
        } else {
            __builtin_ia32_pause();
        }
    }
#elif defined POINTER
    while (atomic_load(&p) == NULL)
        ;
#elif defined ASSUMES
    __VERIFIER_assume(y == 1 && x == 0);
#endif
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    pthread_create(&thread, 0, reader, 0);
    pthread_create(&thread, 0, reader, 0);
    return 0;
}
