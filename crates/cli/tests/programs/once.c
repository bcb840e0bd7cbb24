// Two threads initialise once; whoever comes first does it.
// check: --races --leaks
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int *shared;

static void initialise(void) {
    assert(!shared);
    shared = calloc(1, sizeof *shared);
}

static void *use(void *unused) {
    pthread_once(&once, initialise);
    assert(*shared == 0);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, use, 0);
    pthread_create(&second, 0, use, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    free(shared);
    return 0;
}
