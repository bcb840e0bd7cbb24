// A program ends while another thread waits or goes round for ever: what main has lost is lost, what the thread can still reach is not.
// check: --property valid-memsafety -DWAITS
// verdict: bug
// bug: leak
// check: --property valid-memcleanup -DWAITS
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DSPINS
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DWAITS -DHANDED_OVER
// verdict: verified
// check: --property valid-memsafety -DWAITS -DREACHED
// verdict: verified
// check: --property valid-memsafety -DWAITS -DOWN
// verdict: verified
#include "verifier.h"
MUTEX(m);
static int **list;

static void *thread(void *memory) {
#ifdef OWN
    memory = malloc(sizeof(int));
#endif
#ifdef SPINS
    for (;;)
        ;
#endif
    LOCK(m);
    free(memory);
    UNLOCK(m);
    return 0;
}

int main(void) {
    pthread_t started;
    int *memory = 0;
#ifndef OWN
    memory = malloc(sizeof(int));
#endif
    LOCK(m);
#if defined(HANDED_OVER)
    pthread_create(&started, 0, thread, memory);
#else
    pthread_create(&started, 0, thread, 0);
#endif
#ifdef REACHED
    list = malloc(sizeof *list);
    *list = memory;
#endif
    return 0;
}
