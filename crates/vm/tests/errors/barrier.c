// bug: none
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
pthread_barrier_t b;
atomic_int before;
static void *thread(void *u) {
    atomic_fetch_add(&before, 1);
    pthread_barrier_wait(&b);
    assert(atomic_load(&before) == 2);
    return u;
}
int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, 0, 2);
    pthread_create(&t, 0, thread, 0);
    pthread_create(&t, 0, thread, 0);
}
