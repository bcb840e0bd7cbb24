// A pointer that is replaced while it is read; the old object is freed when nobody reads any more.
// check:
// verdict: verified
// check: -DENTER=memory_order_acq_rel
// verdict: bug
// check: -DFETCH=memory_order_acquire
// verdict: bug
// check: -DLEAVE=memory_order_relaxed
// verdict: bug
// check: -DSWAP=memory_order_acq_rel
// verdict: bug
// check: -DWATCH=memory_order_acquire
// verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ENTER
#define ENTER memory_order_seq_cst
#endif
#ifndef FETCH
#define FETCH memory_order_seq_cst
#endif
#ifndef LEAVE
#define LEAVE memory_order_release
#endif
#ifndef SWAP
#define SWAP memory_order_seq_cst
#endif
#ifndef WATCH
#define WATCH memory_order_seq_cst
#endif

struct object {
    int data;
};
_Atomic(struct object *) current;
atomic_int readers;

static struct object *make(int data) {
    struct object *object = malloc(sizeof *object);
    object->data = data;
    return object;
}

static void *look(void *unused) {
    atomic_fetch_add_explicit(&readers, 1, ENTER);
    struct object *object = atomic_load_explicit(&current, FETCH);
    assert(object->data >= 1);
    atomic_fetch_sub_explicit(&readers, 1, LEAVE);
    return 0;
}

static void *replace(void *unused) {
    struct object *old = atomic_exchange_explicit(&current, make(2), SWAP);
    // Without waiting: if there may be readers, the old object is kept.
    if (atomic_load_explicit(&readers, WATCH) == 0)
        free(old);
    return 0;
}

int main(void) {
    pthread_t a, b;
    atomic_init(&current, make(1));
    pthread_create(&a, 0, look, 0);
    pthread_create(&b, 0, replace, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
