// bug: data race at line 13: two unordered accesses to data, one of them a write: the relaxed store does not synchronise
// settings: races
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag; int data;
static void *one(void *u) {
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return u;
}
static void *two(void *u) {
    if (atomic_load_explicit(&flag, memory_order_acquire))
        data = 2;
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
}
