// Variables of main that threads get to know one after the other.
// bmc: --steps 20
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
void *one(void *a) { *(int *)a += 1; return 0; }
int main(void) {
    int x = 10, y = 20;
    pthread_t a, b;
    pthread_create(&a, 0, one, &x);
    y += 5;
    pthread_create(&b, 0, one, &y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 11 && y == 26);
    return 0;
}
