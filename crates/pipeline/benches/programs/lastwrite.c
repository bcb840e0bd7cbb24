// N threads write a variable; the main thread joins them and reads it.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;

static void *write(void *value) {
    atomic_store(&x, (int)(long)value);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, write, (void *)(i + 1));
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    atomic_load(&x);
    return 0;
}
