// The lock of Mellor-Crummey and Scott: each waits for the one before.
// check:
// verdict: verified
// check: -DJOIN=memory_order_relaxed
// verdict: bug
// check: -DJOIN=memory_order_release
// verdict: bug
// check: -DJOIN=memory_order_acquire
// verdict: bug
// check: -DLINK=memory_order_relaxed
// verdict: bug
// check: -DWAIT=memory_order_relaxed
// verdict: bug
// check: -DLEAVE=memory_order_relaxed
// verdict: bug
// check: -DFIND=memory_order_relaxed
// verdict: bug
// check: -DPASS=memory_order_relaxed
// verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef JOIN
#define JOIN memory_order_acq_rel
#endif
#ifndef LINK
#define LINK memory_order_release
#endif
#ifndef WAIT
#define WAIT memory_order_acquire
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif
#ifndef FIND
#define FIND memory_order_acquire
#endif
#ifndef PASS
#define PASS memory_order_release
#endif

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};
_Atomic(struct node *) last;
int data;

static void *increment(void *unused) {
    struct node node;
    atomic_init(&node.next, 0);
    atomic_init(&node.waits, 1);
    struct node *before = atomic_exchange_explicit(&last, &node, JOIN);
    if (before) {
        atomic_store_explicit(&before->next, &node, LINK);
        while (atomic_load_explicit(&node.waits, WAIT))
            ;
    }
    data++;
    struct node *self = &node, *next;
    if (!atomic_compare_exchange_strong_explicit(&last, &self, 0, LEAVE, memory_order_relaxed)) {
        while (!(next = atomic_load_explicit(&node.next, FIND)))
            ;
        atomic_store_explicit(&next->waits, 0, PASS);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, (void *)0);
    pthread_create(&b, 0, increment, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2);
    return 0;
}
