// pthread: every thread marks an element of an array, the one that is next when it gets there. Some leave one out; and one may come
// after the last element, which is not about assertions: it does not keep the failure from being found, and without
// one leaves the question open.
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --property unreach-call -DHOLDS
// verdict: incomplete
// cut: out of bounds
// check: --property valid-memsafety -DHOLDS
// verdict: bug
// bug: out-of-bounds
// check: --property unreach-call -DHOLDS -DFITS
// verdict: verified
#include "verifier.h"
enum { COUNT = 3 };
static int *marks, next;
static void *thread(void *arg) {
    marks[next] = 1;
    return 0;
}
int main(void) {
    pthread_t threads[COUNT];
#ifdef FITS
    marks = calloc(COUNT + 1, sizeof *marks);
#else
    marks = calloc(COUNT, sizeof *marks);
#endif
    for (int i = 0; i < COUNT; i++) {
        pthread_create(&threads[i], 0, thread, 0);
        next++;
    }
    int sum = 0;
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < COUNT; i++)
        sum += marks[i];
#ifdef HOLDS
    check(sum <= COUNT);
#else
    check(sum == COUNT);
#endif
    free(marks);
    return 0;
}
