// Memory is lost if the thread that should free it comes too early. Only --leaks minds.
// check:
// verdict: verified
// check: --leaks
// verdict: bug
// bug: leak
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) shared;

static void *release(void *unused) {
    free(atomic_exchange(&shared, 0));
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, release, 0);
    atomic_store(&shared, malloc(sizeof(int))); // <- bug
    pthread_join(thread, 0);
    return 0;
}
