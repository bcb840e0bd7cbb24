// A thread reads for ever what nobody writes: an execution is cut at the limit on steps, and the loop is named. Waiting, it is a
// livelock.
// check: --loops plain
// verdict: incomplete
// bug: step-limit
// check: --loops plain --max-steps 500
// verdict: incomplete
// bug: step-limit
// cut: in the loop at
// check:
// verdict: bug
// bug: livelock
// complete: 0
// blocked: 1
// check: --allow livelocks
// verdict: verified
// complete: 0
// blocked: 1
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *nothing(void *unused) {
    (void)atomic_load(&flag);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    while (!atomic_load(&flag)) // <- bug
        ;
    return 0;
}
