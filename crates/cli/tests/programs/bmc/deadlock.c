// bmc: --steps 10 --reduction full
// verdict: bug
// bug: deadlock
// steps: 2
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
pthread_mutex_t m[2];
void *one(void *a) {
    pthread_mutex_lock(&m[0]);
    pthread_mutex_lock(&m[1]);
    pthread_mutex_unlock(&m[1]);
    pthread_mutex_unlock(&m[0]);
    return 0;
}
void *two(void *a) {
    pthread_mutex_lock(&m[1]);
    pthread_mutex_lock(&m[0]);
    pthread_mutex_unlock(&m[0]);
    pthread_mutex_unlock(&m[1]);
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
