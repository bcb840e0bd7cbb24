// Two sections that nobody can look into: as one step each, they have two orders; or one, if what they do is to add.
// check:
// verdict: verified
// complete: 1
// check: -DDOUBLES
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
#ifdef DOUBLES
    counter = 2 * counter + 1;
#else
    counter++;
#endif
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
#ifdef DOUBLES
    assert(counter == 3);
#else
    assert(counter == 2); // <- bug
#endif
    return 0;
}
