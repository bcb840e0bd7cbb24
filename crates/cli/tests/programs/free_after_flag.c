// A flag that is not atomic tells that nobody uses the object any more: as an interleaving, that is in order.
// check: --memory-model sc
// verdict: verified
// complete: 1
// check: --memory-model sc --algorithm graphs
// verdict: verified
// complete: 1
// check: --memory-model sc --algorithm graphs -DEARLY
// bug: use-after-free
#include <pthread.h>
#include <stdlib.h>

int *object;
volatile int done;

static void *use(void *argument) {
#ifdef EARLY
    done = 1;
    *object = 1;
#else
    *object = 1;
    done = 1;
#endif
    return argument;
}

int main(void) {
    pthread_t thread;
    object = malloc(sizeof *object);
    pthread_create(&thread, 0, use, 0);
    while (!done)
        ;
    free(object);
    pthread_join(thread, 0);
    return 0;
}
