// Each of N threads tries one compare-exchange.
// optimal: -DN=8 2048+0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *thread(void *argument) {
    int i = (int)(long)argument, expected = i - 1;
    atomic_compare_exchange_strong(&x, &expected, i);
    return 0;
}

int main(void) {
    pthread_t id;
    for (long i = 1; i <= N; i++)
        pthread_create(&id, 0, thread, (void *)i);
    return 0;
}
