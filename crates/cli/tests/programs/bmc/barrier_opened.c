// Whoever comes last opens a barrier for the others: what the solver finds beyond it is run again as it was found.
// bmc:
// verdict: bug
// bug: assertion
// bmc: -DHOLDS
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
void reach_error(void);
static pthread_barrier_t barrier;
static atomic_int x;
static void *first(void *arg) {
    x++;
    pthread_barrier_wait(&barrier);
    return 0;
}
static void *second(void *arg) {
    int last = pthread_barrier_wait(&barrier);
#ifdef HOLDS
    if (x != 1)
#else
    if (x == 1 && last)
#endif
        reach_error();
    return 0;
}
int main(void) {
    pthread_t threads[2];
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
