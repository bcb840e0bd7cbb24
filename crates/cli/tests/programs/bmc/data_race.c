// The solver does not look for data races, and says so where there could be some.
// bmc:
// verdict: verified
// assumed: that there are no data races (which `everyway check` looks for)
// bmc: -DSHARED=_Atomic
// verdict: verified
// assumed: []
#include <pthread.h>

#ifndef SHARED
#define SHARED
#endif

SHARED int shared;

static void *add(void *unused) {
    shared++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    shared++;
    pthread_join(thread, 0);
}
