// A loop that does nothing visible, and whose length is an input.
// bmc: --steps 30
// verdict: bug
// bug: assertion
// bmc: --steps 30 -DFIXED
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int x;
void *one(void *a) {
    unsigned n = __VERIFIER_nondet_uint(), sum = 0;
    __VERIFIER_assume(n < 6);
    for (unsigned i = 1; i <= n; i++)
        sum += i * i;
    x = sum;
    return 0;
}
void *two(void *a) {
#ifdef FIXED
    assert(x != 31);
#else
    assert(x != 30); // <- bug
#endif
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
