// What another thread does while the program is about to end can fail; what comes after the end cannot.
// check:
// verdict: bug
// bug: assertion
// message: x == 0
// check: -DJOINED
// verdict: verified
// check: -DAT_ONCE
// verdict: bug
// bug: assertion
// message: x == 0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

atomic_int x;

static void *ends_the_program(void *unused) {
    x = 1;
#ifdef AT_ONCE
    _exit(0);
#endif
    exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, ends_the_program, 0);
#ifdef JOINED
    pthread_join(thread, 0);
    assert(!"the program has ended");
#else
    assert(x == 0); // <- bug
#endif
    return 0;
}
