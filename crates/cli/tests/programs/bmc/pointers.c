// Pointers to shared objects, in shared memory.
// bmc: --steps 12 --reduction full
// verdict: bug
// bug: assertion
// bmc: --steps 12 -DFIXED
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
struct cell { int value; struct cell *next; };
struct cell first = {1, 0}, second = {2, 0};
struct cell *_Atomic head = &first;
void *one(void *a) {
    struct cell *p = head;
    p->value = 5;
    return 0;
}
void *two(void *a) {
    head = &second;
#ifdef FIXED
    assert(second.value == 2 || second.value == 5);
#else
    assert(second.value == 2); // <- bug
#endif
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
