// Two threads, x = i; a = x. Source: Abdulla et al., OOPSLA 2019, Fig. 1: four classes.
// check:
// verdict: verified
// complete: 4
// check: --algorithm reads-from
// verdict: verified
// complete: 3
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *store_and_load(void *argument) {
    atomic_store(&x, (int)(long)argument);
    (void)atomic_load(&x);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, store_and_load, (void *)1);
    pthread_create(&thread, 0, store_and_load, (void *)2);
    return 0;
}
