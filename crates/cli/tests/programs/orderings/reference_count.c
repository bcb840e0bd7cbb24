// A reference count: whoever gives up the last reference frees the object.
// check:
// verdict: verified
// check: -DRELEASE=memory_order_relaxed
// verdict: bug
// check: -DACQUIRE=memory_order_relaxed
// verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef CLONE
#define CLONE memory_order_relaxed
#endif
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

struct object {
    atomic_int references;
    int data;
};

static void drop(struct object *object) {
    if (atomic_fetch_sub_explicit(&object->references, 1, RELEASE) == 1) {
        atomic_thread_fence(ACQUIRE);
        free(object);
    }
}

static void *use(void *argument) {
    struct object *object = argument;
    assert(object->data == 7);
    drop(object);
    return 0;
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    pthread_t a, b;
    atomic_init(&object->references, 1);
    object->data = 7;
    // A clone may be relaxed: whoever clones has a reference, so the count is not about to become 0.
    atomic_fetch_add_explicit(&object->references, 1, CLONE);
    pthread_create(&a, 0, use, object);
    atomic_fetch_add_explicit(&object->references, 1, CLONE);
    pthread_create(&b, 0, use, object);
    drop(object);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
