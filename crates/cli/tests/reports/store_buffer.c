// Two threads that each store, and then do not see what the other has stored.
// check: --memory-model=tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen;

static void *other(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_release);
    seen = atomic_load_explicit(&x, memory_order_acquire);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    atomic_store_explicit(&x, 1, memory_order_release);
    int mine = atomic_load_explicit(&y, memory_order_acquire);
    pthread_join(thread, 0);
    assert(mine == 1 || seen == 1);
    return 0;
}
