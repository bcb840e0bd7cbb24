// A weak compare-exchange may fail although the value is the expected one. Once, without a loop: two executions, in the second
// of which it fails. With RETRY two threads add one each by trying again; a round that fails spuriously changes
// nothing, so whatever is added to the executions is blocked there.
// check:
// verdict: verified
// complete: 1
// check: --spurious-failures
// verdict: bug
// bug: assertion
// check: --spurious-failures --memory-model rc11
// verdict: bug
// bug: assertion
// check: -DSTRONG --spurious-failures
// verdict: verified
// complete: 1
// check: -DRETRY --spurious-failures
// verdict: verified
// check: -DRETRY --spurious-failures --memory-model rc11
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

void *add(void *unused) {
    int expected = atomic_load(&x);
    while (!atomic_compare_exchange_weak(&x, &expected, expected + 1)) {
    }
    return unused;
}

int main(void) {
#ifdef RETRY
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    assert(x == 2);
#else
    int expected = 0;
#ifdef STRONG
    assert(atomic_compare_exchange_strong(&x, &expected, 1));
#else
    assert(atomic_compare_exchange_weak(&x, &expected, 1));
#endif
#endif
}
