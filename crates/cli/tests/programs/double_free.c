// Two threads free the same memory if both see it before either has taken it away.
// check:
// verdict: bug
// bug: double-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

static void *release(void *unused) {
    int *mine = atomic_load(&shared);
    if (mine) {
        atomic_store(&shared, 0);
        free(mine); // <- bug
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    atomic_store(&shared, malloc(sizeof(int)));
    pthread_create(&thread, 0, release, 0);
    release(0);
    pthread_join(thread, 0);
    return 0;
}
