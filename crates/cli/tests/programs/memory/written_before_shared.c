// What a thread has written to memory of its own counts as written when it was, not when the memory was made or when others
// can reach it: here after the other thread was started, and before the pointer is stored without ordering anything.
// check:
// verdict: bug
// bug: data-race
// check: --memory-model sc --races=on
// verdict: bug
// bug: data-race
// check: --memory-model sc --races=on -DBEFORE
// verdict: verified
// check: --memory-model sc --races=on -DORDERED
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *reader(void *unused) {
#ifdef ORDERED
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
#else
    int *p = atomic_load_explicit(&shared, memory_order_relaxed);
#endif
    if (p)
        return (void *)(long)*p;
    return 0;
}

int main(void) {
    pthread_t thread;
    int *p = malloc(sizeof *p);
#ifdef BEFORE
    *p = 5;
#endif
    pthread_create(&thread, 0, reader, 0);
#ifndef BEFORE
    *p = 5;
#endif
#ifdef ORDERED
    atomic_store_explicit(&shared, p, memory_order_release);
#else
    atomic_store_explicit(&shared, p, memory_order_relaxed);
#endif
    pthread_join(thread, 0);
    free(p);
}
