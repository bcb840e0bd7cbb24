// Thread i of 1 ... N replaces i - 1 by i, if that is there.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *rotate(void *argument) {
    int i = (int)(long)argument;
    int expected = i - 1;
    atomic_compare_exchange_strong(&x, &expected, i);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long i = 1; i <= N; i++)
        pthread_create(&thread, 0, rotate, (void *)i);
    return 0;
}
