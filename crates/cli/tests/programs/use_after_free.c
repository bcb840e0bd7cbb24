// A thread frees what another one may still read.
// check:
// verdict: bug
// bug: use-after-free
// check: --jobs 2
// verdict: bug
// bug: use-after-free
#include <pthread.h>
#include <stdlib.h>

int *shared;

static void *reader(void *unused) {
    (void)*(volatile int *)shared; // <- bug
    return 0;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_create(&thread, 0, reader, 0);
    free(shared);
    pthread_join(thread, 0);
    return 0;
}
