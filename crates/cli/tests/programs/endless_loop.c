// A thread reads for ever what nobody writes: an execution is cut at the limit on steps, and the loop is named.
// check:
// verdict: incomplete
// bug: step-limit
// check: --max-steps 500
// verdict: incomplete
// bug: step-limit
// cut: in the loop at
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
