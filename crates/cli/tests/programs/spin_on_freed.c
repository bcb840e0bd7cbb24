// A loop waits for what is in memory that is freed meanwhile: its next round is wrong, although it is not carried out.
// check:
// verdict: bug
// bug: use-after-free
// check: --loops assume
// verdict: bug
// bug: use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int *flag;

static void *waits(void *unused) {
    while (atomic_load(flag) == 0) // <- bug
        ;
    return unused;
}

int main(void) {
    pthread_t thread;
    flag = calloc(1, sizeof *flag);
    pthread_create(&thread, 0, waits, 0);
    free((void *)flag);
    return 0;
}
