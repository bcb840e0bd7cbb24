// A pointer reaches another thread combined with a key, so that nothing in shared memory looks like it. What its
// owner does with the object afterwards must be a step all the same.
// check:
// verdict: bug
// bug: assertion
// note: in disguise
// check: --all-shared
// verdict: bug
// bug: assertion
// check: -DWAIT
// verdict: verified
// complete: 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define KEY 0x5555555555555555u

atomic_uintptr_t hidden;

static void *use(void *unused) {
    uintptr_t value = atomic_load(&hidden);
    if (value) {
        int *mine = (int *)(value ^ KEY);
        assert(*mine == 2); // <- bug
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    int *object = malloc(sizeof *object);
    *object = 1;
    pthread_create(&thread, 0, use, 0);
#ifdef WAIT
    // Two orders of the store and the load.
    *object = 2;
    atomic_store(&hidden, (uintptr_t)object ^ KEY);
#else
    atomic_store(&hidden, (uintptr_t)object ^ KEY);
    *object = 2;
#endif
    pthread_join(thread, 0);
    return 0;
}
