// What a thread allocates is large or small, depending on the interleaving: two orders of one load and one store.
// check:
// verdict: verified
// complete: 2
// redundant: 0
// check: --algorithm source
// verdict: verified
// complete: 2
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int wanted;
char *_Atomic first, *_Atomic second;

static void *allocate(void *unused) {
    char *memory = malloc(atomic_load(&wanted) ? 20 << 20 : 8);
    atomic_store(&first, memory);
    memory[0] = 1;
    char *more = malloc(8);
    atomic_store(&second, more);
    more[0] = memory[0];
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, allocate, 0);
    atomic_store(&wanted, 1);
    pthread_join(thread, 0);
    free(first);
    free(second);
    return 0;
}
