// bug: data race at line 18: two unordered accesses to pair#1.a, one of them a write: the relaxed store does not synchronise
// settings: races
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { int a, b; };
_Atomic(struct pair *) shared;
static void *one(void *u) {
    struct pair *fresh = malloc(sizeof *fresh);
    fresh->a = 1;
    fresh->b = 2;
    atomic_store_explicit(&shared, fresh, memory_order_relaxed);
    return u;
}
static void *two(void *u) {
    struct pair *found = atomic_load_explicit(&shared, memory_order_acquire);
    if (found)
        return (void *)(long)found->a;
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
}
