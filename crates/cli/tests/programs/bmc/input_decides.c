// The way of main depends on input before and after threads are started.
// bmc: --steps 20
// verdict: bug
// bug: assertion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int x;
void *one(void *a) { x = 1; return 0; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    pthread_t a;
    if (n > 1000) {
        pthread_create(&a, 0, one, 0);
        int seen = x;
        if (n == 123456)
            assert(seen == 0); // <- bug
        pthread_join(a, 0);
    }
    return 0;
}
