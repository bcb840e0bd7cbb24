// One thread stores x; N threads each load a slot of their own, then x.
// optimal: -DN=6 64+0
// optimal: -DN=10 1024+0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, slots[N];

static void *writer(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *reader(void *argument) {
    long i = (long)argument;
    atomic_load(&slots[i]);
    atomic_load(&x);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, reader, (void *)i);
    return 0;
}
