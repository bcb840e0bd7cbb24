// A loop without a bound of its own. The store comes before one of the four looks that three rounds allow, or after all
// of them, when the loop is cut.
// A loop that waits goes round once, and is not cut.
// check: --unroll 3 --loops plain
// verdict: incomplete
// complete: 4
// blocked: 1
// cut: unroll.c:26
// check: --unroll 3
// verdict: verified
// complete: 1
// blocked: 0
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *set(void *unused) {
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    while (!atomic_load(&flag))
        ;
    return 0;
}
