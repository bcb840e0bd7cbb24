// Store buffering with relaxed accesses: as interleavings it is right, and as what it says it is not.
// check: --memory-model sc
// verdict: verified
// complete: 3
// check: --memory-model tso
// verdict: bug
// bug: assertion
// note: memory model tso
// check: --memory-model rc11
// verdict: bug
// bug: assertion
// note: memory model rc11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen;

static void *other(void *unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    seen = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int mine = atomic_load_explicit(&y, memory_order_relaxed);
    pthread_join(thread, 0);
    assert(mine == 1 || seen == 1);
    return 0;
}
