// A message whose flag is stored without releasing what it stands for.
// check:
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready;

static void *send(void *unused) {
    message = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, 0, send, 0);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(message == 42);
    pthread_join(sender, 0);
    return 0;
}
