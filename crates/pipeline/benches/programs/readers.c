// One thread stores; N threads each load a slot of their own, then what was stored.
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
atomic_int slot[N];

static void *writer(void *unused) {
    atomic_store(&x, 1);
    return 0;
}

static void *reader(void *index) {
    atomic_load(&slot[(long)index]);
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
