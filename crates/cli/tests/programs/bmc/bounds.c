// An index that comes from outside.
// bmc: --steps 8
// verdict: bug
// bmc: --steps 8 -DFIXED
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int table[10];
void *one(void *a) {
    int i = __VERIFIER_nondet_int();
#ifdef FIXED
    __VERIFIER_assume(i >= 0 && i < 10);
#endif
    table[i] = 1; // <- bug
    return 0;
}
void *two(void *a) { table[3] = 2; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
