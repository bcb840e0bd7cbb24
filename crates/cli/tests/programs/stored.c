// Every execution fails the same way; `everyway run` shows where the value comes from.
// check:
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *store(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, store, 0);
    pthread_join(thread, 0);
    assert(x == 2); // <- bug
    return 0;
}
