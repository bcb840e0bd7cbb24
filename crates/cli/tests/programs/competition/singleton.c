// pthread: a value on the heap that several threads write, each its own letter, joined in between or not.
// check: --property unreach-call
// verdict: bug
// check: --property unreach-call -DJOIN
// verdict: verified
// A global variable points to the memory in the end, which is tracked then, and not cleaned up.
// check: --property valid-memsafety -DJOIN
// verdict: verified
// check: --property valid-memcleanup -DJOIN
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DJOIN -DFREE
// verdict: verified
#include "verifier.h"
static char *v;
static void *create(void *arg) { v = malloc(1); return 0; }
static void *x(void *arg) { v[0] = 'X'; return 0; }
static void *y(void *arg) { v[0] = 'Y'; return 0; }
int main(void) {
    pthread_t t;
    pthread_t a, b;
    pthread_create(&t, 0, create, 0);
    pthread_join(t, 0);
    pthread_create(&a, 0, x, 0);
#ifdef JOIN
    pthread_join(a, 0);
#endif
    pthread_create(&b, 0, y, 0);
#ifndef JOIN
    pthread_join(a, 0);
#endif
    pthread_join(b, 0);
    check(v[0] == 'Y');
#ifdef FREE
    free(v);
#endif
}
