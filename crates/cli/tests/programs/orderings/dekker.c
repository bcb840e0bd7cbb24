// Two threads that want to enter; whoever sees the other want to does not.
// check:
// verdict: verified
// check: -DWANT_0=memory_order_release
// verdict: bug
// bug: data-race
// check: -DLOOK_0=memory_order_acquire
// verdict: bug
// bug: data-race
// check: -DWANT_1=memory_order_release
// verdict: bug
// bug: data-race
// check: -DLOOK_1=memory_order_acquire
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef WANT_0
#define WANT_0 memory_order_seq_cst
#endif
#ifndef LOOK_0
#define LOOK_0 memory_order_seq_cst
#endif
#ifndef WANT_1
#define WANT_1 memory_order_seq_cst
#endif
#ifndef LOOK_1
#define LOOK_1 memory_order_seq_cst
#endif

atomic_int want[2];
int data;

static void *first(void *unused) {
    atomic_store_explicit(&want[0], 1, WANT_0);
    if (!atomic_load_explicit(&want[1], LOOK_0))
        data++;
    return 0;
}

static void *second(void *unused) {
    atomic_store_explicit(&want[1], 1, WANT_1);
    if (!atomic_load_explicit(&want[0], LOOK_1))
        data++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, (void *)0);
    pthread_create(&b, 0, second, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
