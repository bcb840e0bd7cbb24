// libvsync-like: a sequence lock: the reader tries again if the writer was there; without looking again it sees halves.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DONCE
// verdict: bug
#include "verifier.h"
#include <stdatomic.h>
static atomic_uint sequence;
static atomic_int a, b;
static void *writer(void *arg) {
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&sequence, 1);
        atomic_store(&a, i);
        atomic_store(&b, i);
        atomic_fetch_add(&sequence, 1);
    }
    return 0;
}
static void *reader(void *arg) {
    unsigned before, after;
    int x, y;
    do {
        before = atomic_load(&sequence);
        x = atomic_load(&a);
        y = atomic_load(&b);
        after = atomic_load(&sequence);
#ifdef ONCE
        break;
#endif
    } while (before != after || before % 2);
    check(x == y);
    return 0;
}
TWO_THREADS(writer, reader)
