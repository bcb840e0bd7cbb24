// Locks that are used before and after there are threads.
// bmc: --steps 20
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
pthread_mutex_t m;
int x;
void *one(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
void *two(void *a) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    x = 5;
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_destroy(&m);
    assert(x == 7);
    return 0;
}
