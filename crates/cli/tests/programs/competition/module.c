// ldv-races: a module's functions are called by the kernel's threads; data that is set up before it is registered, and
// torn down after it was taken out of the list, or before.
// check: --property no-data-race
// verdict: verified
// check: --property no-data-race -DLATE
// verdict: bug
// check: --property valid-memsafety
// verdict: verified
// check: --property valid-memsafety -DEARLY
// verdict: bug
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DLATE
// verdict: bug
#include "verifier.h"
struct device { int registered, data; };
static struct device *device;
MUTEX(m);
static void *callback(void *arg) {
    LOCK(m);
    struct device *mine = device;
    if (mine && mine->registered) {
        UNLOCK(m);
        check(mine->data == 7);
        return 0;
    }
    UNLOCK(m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, callback, 0);
    struct device *new = malloc(sizeof *new);
    new->registered = 0;
    new->data = 0;
#ifndef LATE
    new->data = 7;
#endif
    LOCK(m);
    device = new;
    device->registered = 1;
    UNLOCK(m);
#ifdef LATE
    new->data = 7;
#endif
#ifndef EARLY
    pthread_join(t, 0);
#endif
    LOCK(m);
    device = 0;
    UNLOCK(m);
    free(new);
#ifdef EARLY
    pthread_join(t, 0);
#endif
}
