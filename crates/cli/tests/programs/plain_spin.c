// A loop that waits for a variable which is not atomic waits, and is a data race: it looks first, and then comes the write.
// check:
// verdict: verified
// complete: 1
// blocked: 0
// check: --races
// verdict: bug
// bug: data-race
#include <pthread.h>

int ready;

static void *set(void *unused) {
    ready = 1; // <- bug
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    while (!ready)
        ;
    return 0;
}
