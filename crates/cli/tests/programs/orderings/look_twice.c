// A thread looks at two flags up to so many times before it goes on. What it does next depends on neither, so that many rounds of
// looking are as good as one. It finds the first flag down; or up, and then the second one up or down, which makes three executions.
// check: -DHOW=0
// verdict: verified
// complete: 3
// check: -DHOW=0 -O1
// verdict: verified
// complete: 3
// check: -DHOW=0 -DORDER=memory_order_acquire -DLOOKS=7
// verdict: verified
// complete: 3
// That it looks last at what makes it do something else makes no difference, since a round that comes right after finds that
// unchanged. It finds the other flag up; or down, and this one up or down.
// check: -DHOW=1
// verdict: verified
// complete: 3
// What it has looked at first may have changed since. It finds the first flag up; or down, and the second one up or down; but if the
// second one is down, the first one is, too, and the next round finds it.
// check: -DHOW=2 -DORDER=memory_order_acquire -DLOOKS=2
// verdict: verified
// complete: 3
// check: -DHOW=2 -DORDER=memory_order_seq_cst -DLOOKS=2
// verdict: verified
// complete: 3
// So it is if it decides later what to do about it, though it has looked at the second one as well when the first one is down.
// check: -DHOW=3 -DORDER=memory_order_acquire -DLOOKS=2
// verdict: verified
// check: -DHOW=3 -DORDER=memory_order_seq_cst -DLOOKS=2
// verdict: verified
// It can be that it finds the first one up and the second one down, for want of another round.
// check: -DHOW=2 -DORDER=memory_order_acquire -DLOOKS=1
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LOOKS
#define LOOKS 100
#endif
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
#define LOOK(flag) atomic_load_explicit(&flag, ORDER)

static atomic_int first = 1, second = 1;

static void *take_down(void *unused) {
    atomic_store_explicit(&first, 0, memory_order_release);
    atomic_store_explicit(&second, 0, memory_order_release);
    return unused;
}

static int look(void) {
    int spins = LOOKS;
#if HOW == 0
    while (spins-- && LOOK(first) && LOOK(second))
        ;
#elif HOW == 1
    while (spins--) {
        if (LOOK(first))
            break;
        if (LOOK(second))
            return 1;
    }
#elif HOW == 2
    while (spins--) {
        if (!LOOK(first))
            return 1;
        if (LOOK(second))
            return 2;
    }
#elif HOW == 3
    while (spins--) {
        int up = LOOK(first), other_up = LOOK(second);
        if (!up)
            return 1;
        if (other_up)
            return 2;
    }
#endif
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take_down, 0);
    int found = look();
#if HOW >= 2
    assert(found != 0);
#endif
    pthread_join(thread, 0);
    return found;
}
