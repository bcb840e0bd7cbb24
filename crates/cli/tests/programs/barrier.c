// Two threads write, meet at a barrier, and read what the other wrote.
// check: --races
// verdict: verified
// check: -DNO_BARRIER
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

pthread_barrier_t barrier;
int written[2];

static void *meet(void *argument) {
    long me = (long)argument;
    written[me] = 1;
#ifndef NO_BARRIER
    pthread_barrier_wait(&barrier);
#endif
    assert(written[1 - me] == 1); // <- bug
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&first, 0, meet, (void *)0);
    pthread_create(&second, 0, meet, (void *)1);
    pthread_join(first, 0);
    pthread_join(second, 0);
    pthread_barrier_destroy(&barrier);
    return 0;
}
