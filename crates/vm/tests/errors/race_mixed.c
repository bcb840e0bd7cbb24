// bug: data race
// settings: races
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
int data;
static void *one(void *u) {
    data = 1;
    atomic_store(&flag, 1);
    return u;
}
static void *two(void *u) {
    if (!atomic_load(&flag))
        data = 2;
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
}
