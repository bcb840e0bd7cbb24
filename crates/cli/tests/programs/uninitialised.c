// A branch depends on memory that another thread may not have filled yet.
// check:
// verdict: bug
// bug: uninitialised
#include <pthread.h>
#include <stdlib.h>

int *shared;

static void *fill(void *unused) {
    *shared = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    pthread_create(&thread, 0, fill, 0);
    if (*shared) // <- bug
        pthread_join(thread, 0);
    return 0;
}
