// What other threads do when main returns, leaves by pthread_exit, aborts or exits: they may have done it before.
// check: --property unreach-call
// verdict: bug
// check: --property unreach-call -DLEAVES
// verdict: bug
// check: --property unreach-call -DABORTS
// verdict: verified
// check: --property unreach-call -DEXITS
// verdict: verified
#include "verifier.h"
#include <stdatomic.h>
static atomic_int x;
static void *thread(void *arg) {
    if (x == 1)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t created;
#ifdef EXITS
    exit(0);
#endif
    pthread_create(&created, 0, thread, 0);
#ifdef ABORTS
    abort();
#endif
    x = 1;
#ifdef LEAVES
    pthread_exit(0);
#endif
    return 0;
}
