// Nodes that threads allocate, fill and push; main takes the sum of what is there.
// bmc: --steps 20
// verdict: verified
// bmc: --steps 20 -DBROKEN --reduction full
// verdict: bug
// bug: assertion
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
struct node { int value; struct node *next; };
struct node *_Atomic top;
static void push(int value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *old = atomic_load(&top);
    n->next = old;
#ifdef BROKEN
    atomic_store(&top, n);
#else
    if (!atomic_compare_exchange_strong(&top, &old, n)) {
        n->next = old;
        int pushed = atomic_compare_exchange_strong(&top, &old, n);
        assert(pushed);
    }
#endif
}
void *one(void *a) { push(1); return 0; }
void *two(void *a) { push(2); return 0; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    struct node *n = atomic_load(&top);
    assert(n->next != 0); // <- bug
    assert(n->value + n->next->value == 3);
    return 0;
}
