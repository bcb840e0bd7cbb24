// weaver: two threads compute the same in different orders; what comes of it is equal, unless one of them leaves something
// out. The numbers are any.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DLEAVES_OUT
// verdict: bug
#include "verifier.h"
enum { N = 3 };
static int numbers[N], up, down;
static void *ups(void *arg) {
    for (int i = 0; i < N; i++)
        up += numbers[i];
    return 0;
}
static void *downs(void *arg) {
#ifdef LEAVES_OUT
    for (int i = N - 1; i > 0; i--)
#else
    for (int i = N - 1; i >= 0; i--)
#endif
        down += numbers[i];
    return 0;
}
int main(void) {
    for (int i = 0; i < N; i++)
        numbers[i] = 3 * i + 1;
    pthread_t a, b;
    pthread_create(&a, 0, ups, 0);
    pthread_create(&b, 0, downs, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    check(up == down);
}
