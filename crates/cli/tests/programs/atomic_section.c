// Two sections that nobody can look into: as one step each, they have two orders.
// check:
// verdict: verified
// complete: 2
// check: -DNO_SECTION
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int counter;

static void *increment(void *unused) {
#ifndef NO_SECTION
    __VERIFIER_atomic_begin();
#endif
    counter++;
#ifndef NO_SECTION
    __VERIFIER_atomic_end();
#endif
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, increment, 0);
    pthread_create(&second, 0, increment, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2); // <- bug
    return 0;
}
