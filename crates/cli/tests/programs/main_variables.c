// A thread that main does not wait for uses a variable of main: when main has returned, or has ended its thread, the variable is
// gone. To call exit is not to return.
// check:
// verdict: bug
// bug: use-after-free
// check: --algorithm graphs
// verdict: bug
// bug: use-after-free
// check: --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DLEAVES
// verdict: bug
// bug: use-after-free
// check: -DLEAVES --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DEXITS
// verdict: verified
// check: -DWAITS
// verdict: verified
// check: -DWAITS --memory-model rc11
// verdict: verified
// check: --property valid-memsafety
// verdict: verified
#include <pthread.h>
#include <stdlib.h>

static void *use(void *variable) {
    *(int *)variable = 1;
    return 0;
}

int main(void) {
    int variable = 0;
    pthread_t thread;
    pthread_create(&thread, 0, use, &variable);
#ifdef WAITS
    pthread_join(thread, 0);
#else
    pthread_detach(thread);
#endif
#ifdef LEAVES
    pthread_exit(0);
#elif defined EXITS
    exit(0);
#endif
    return 0;
}
