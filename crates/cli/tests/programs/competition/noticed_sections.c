// pthread-wmm: what an atomic section does before an assumption rules it out can be noticed: by another thread, which sees what
// it has stored, or because it fails. A section of which nothing can be noticed is waited for.
// check: --property unreach-call
// verdict: verified
// blocked: 0
// check: --property unreach-call -DSTORES
// verdict: bug
// bug: assertion
// check: --property unreach-call -DSTORES -DTOO_LATE
// verdict: verified
// check: --property unreach-call -DELEMENT
// verdict: bug
// bug: assertion
// check: --property valid-memsafety -DBEYOND
// verdict: bug
// check: --property valid-memsafety -DFOLLOWS
// verdict: bug
// check: --property valid-memsafety
// verdict: verified
#include "verifier.h"

static int count, x, table[2];
static int *pointer;
static _Bool is_done;
static int seen;

static void *thread(void *arg) {
    __VERIFIER_atomic_begin();
#ifdef TOO_LATE
    count = 1;
    check(x == 0);
#else
    check(x == 0 && table[1] == 0);
    pointer = &x;
#ifdef BEYOND
    count = 2;
#else
    count = 1;
#endif
#endif
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t created;
    pthread_create(&created, 0, thread, 0);
    __VERIFIER_atomic_begin();
    is_done = count == 1;
#if defined(TOO_LATE)
    if (is_done)
        x = 1;
#elif defined(STORES)
    x = 1;
#elif defined(ELEMENT)
    table[1] = 1;
#elif defined(BEYOND)
    seen = table[2];
#elif defined(FOLLOWS)
    seen = *pointer;
#endif
    __VERIFIER_atomic_end();
    if (!is_done)
        abort();
    return 0;
}
