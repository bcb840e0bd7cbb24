// bug: use after free
#include <pthread.h>
#include <stdatomic.h>
_Atomic(int *) shared;
static void *reader(void *u) {
    int *p = atomic_load(&shared);
    return (void *)(long)(p ? *p : 0);
}
static void *publisher(void *u) {
    int local = 1;
    atomic_store(&shared, &local);
    return u;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, publisher, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
}
