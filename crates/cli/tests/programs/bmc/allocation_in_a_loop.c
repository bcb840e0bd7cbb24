// bmc: --steps 5
// verdict: error
// message: allocated
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
struct node { struct node *next; };
struct node *_Atomic top;
atomic_int more;
void *one(void *a) {
    while (more) {
        struct node *n = malloc(sizeof *n);
        top = n;
    }
    return 0;
}
void *two(void *a) { more = 1; return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
