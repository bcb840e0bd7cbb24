// bug: none
// settings: races
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { int a, b; };
_Atomic(struct pair *) shared, early;
atomic_int flag, fenced, ready, count;
int first, second, third;
static void *one(void *u) {
    // A release and an acquire.
    first = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    // Fences on both sides.
    second = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&fenced, 1, memory_order_relaxed);
    // What was written before it was published, and released before that.
    struct pair *fresh = malloc(sizeof *fresh);
    fresh->a = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    fresh->b = 2;
    atomic_store_explicit(&early, fresh, memory_order_relaxed);
    // A pointer that is released.
    fresh = malloc(sizeof *fresh);
    fresh->a = 3;
    atomic_store_explicit(&shared, fresh, memory_order_release);
    return u;
}
static void *two(void *u) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        first++;
    if (atomic_load_explicit(&fenced, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        second++;
    }
    return u;
}
static void *three(void *u) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    struct pair *found = atomic_load_explicit(&shared, memory_order_acquire);
    if (found)
        found->a++;
    found = atomic_load_explicit(&early, memory_order_relaxed);
    if (found && atomic_load_explicit(&ready, memory_order_acquire))
        found->a++;
    return u;
}
int main(void) {
    pthread_t t[3];
    third = 1;
    pthread_create(&t[0], 0, one, 0);
    pthread_create(&t[1], 0, two, 0);
    pthread_create(&t[2], 0, three, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    third = first + second;
}
