// N threads store to x; the main thread joins all and reads it.
// optimal: -DN=4 24+0
// optimal: -DN=6 720+0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *thread(void *argument) {
    atomic_store(&x, (int)(long)argument);
    return 0;
}

int main(void) {
    pthread_t ids[N];
    for (long i = 0; i < N; i++)
        pthread_create(&ids[i], 0, thread, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(ids[i], 0);
    return atomic_load(&x);
}
