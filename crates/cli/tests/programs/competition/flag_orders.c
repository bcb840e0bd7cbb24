// no-data-race: data that a flag announces. An atomic flag orders it, and so does one that is accessed in atomic sections only; a
// relaxed one does not, nor one of which one access is plain.
// check: --property no-data-race
// verdict: verified
// check: --property no-data-race -DRELAXED
// verdict: bug
// check: --property no-data-race -DSECTIONS
// verdict: verified
// check: --property no-data-race -DSECTIONS -DHALF
// verdict: bug
// check: --property unreach-call
// verdict: verified
#include "verifier.h"
#include <stdatomic.h>
static int data;
#ifdef SECTIONS
static int flag;
#else
static atomic_int flag;
#endif
#ifdef RELAXED
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#else
enum { STORE = memory_order_seq_cst, LOAD = memory_order_seq_cst };
#endif
static void *writer(void *arg) {
    data = 42;
#ifdef SECTIONS
    __VERIFIER_atomic_begin();
    flag = 1;
    __VERIFIER_atomic_end();
#else
    atomic_store_explicit(&flag, 1, STORE);
#endif
    return 0;
}
int main(void) {
    pthread_t created;
    pthread_create(&created, 0, writer, 0);
#if defined(HALF)
    int is_there = flag;
#elif defined(SECTIONS)
    __VERIFIER_atomic_begin();
    int is_there = flag;
    __VERIFIER_atomic_end();
#else
    int is_there = atomic_load_explicit(&flag, LOAD);
#endif
    if (is_there)
        check(data == 42);
    pthread_join(created, 0);
    return 0;
}
