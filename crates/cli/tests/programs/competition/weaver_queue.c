// weaver: what goes through two queues in a row comes out in the order in which it went in.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DTWO_MOVERS
// verdict: bug
#include "verifier.h"
enum { N = 2 };
static int first[N], second[N], first_in, first_out, second_in;
MUTEX(m);
static void *puts_in(void *arg) {
    for (int i = 0; i < N; i++) {
        LOCK(m);
        first[first_in++] = i;
        UNLOCK(m);
    }
    return 0;
}
static void *moves(void *arg) {
    for (int i = 0; i < N; i++) {
        int value = -1;
        LOCK(m);
        if (first_out < first_in)
            value = first[first_out++];
        UNLOCK(m);
        if (value >= 0) {
            LOCK(m);
            second[second_in++] = value;
            UNLOCK(m);
        }
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, puts_in, 0);
    pthread_create(&b, 0, moves, 0);
#ifdef TWO_MOVERS
    pthread_t c;
    pthread_create(&c, 0, moves, 0);
    pthread_join(c, 0);
#endif
    pthread_join(a, 0);
    pthread_join(b, 0);
    for (int i = 1; i < second_in; i++)
        check(second[i - 1] < second[i]);
}
