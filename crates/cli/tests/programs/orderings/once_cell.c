// A cell that is set once: 0 is empty, 1 is being set, 2 is set.
// check:
// verdict: verified
// check: -DLOOK=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DFOUND=memory_order_relaxed
// verdict: bug
// bug: data-race
// check: -DDONE=memory_order_relaxed
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef LOOK
#define LOOK memory_order_acquire
#endif
#ifndef FOUND
#define FOUND memory_order_acquire
#endif
#ifndef BEGIN
#define BEGIN memory_order_relaxed
#endif
#ifndef DONE
#define DONE memory_order_release
#endif

atomic_int state;
int value;

static int get_or_set(int wanted) {
    if (atomic_load_explicit(&state, LOOK) == 2)
        return value;
    int found = 0;
    // To begin may be relaxed: the cell is empty, so there is nothing to see.
    if (atomic_compare_exchange_strong_explicit(&state, &found, 1, BEGIN, FOUND)) {
        value = wanted;
        atomic_store_explicit(&state, 2, DONE);
        return wanted;
    }
    return found == 2 ? value : 0;
}

static void *set(void *unused) {
    int got = get_or_set(5);
    assert(got == 0 || got == 5);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, set, (void *)0);
    pthread_create(&b, 0, set, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
