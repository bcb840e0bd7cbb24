// One value out of 2^32, and one order of the two threads.
// bmc: --steps 12
// verdict: bug
// bug: assertion
// steps: 6
// bmc: --steps 12 -DFIXED
// verdict: verified
// bmc: --steps 12 --reduction none
// verdict: bug
// steps: 6
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);
atomic_uint key, turn;
void *one(void *a) {
    unsigned v = __VERIFIER_nondet_uint();
    key = v * 2654435761u + 3u;
    turn = 1;
    return 0;
}
void *two(void *a) {
    unsigned before = key;
    if (turn == 1) {
#ifdef FIXED
        before |= 1;
#endif
        assert(!(before == 0 && key == 0xdeadbeef)); // <- bug
    }
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
