// bmc: --steps 5
// verdict: error
// message: recursion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int x;
int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); } // <- bug
void *one(void *a) { x = f(x); return 0; }
void *two(void *a) { x = 2; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
