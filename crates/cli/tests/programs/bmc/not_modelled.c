// bmc: --steps 5
// verdict: error
// message: `pthread_once` is not modelled
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
pthread_once_t o;
void nothing(void) {}
void *one(void *a) {
    pthread_once(&o, nothing); // <- bug
    return 0;
}
void *two(void *a) { return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
