// bmc: --steps 8
// verdict: bug
// bug: division-by-zero
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_int x;
void *one(void *a) { x = __VERIFIER_nondet_int(); return 0; }
void *two(void *a) {
    int d = x;
    if (d > -3)
        x = 100 / d; // <- bug
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
