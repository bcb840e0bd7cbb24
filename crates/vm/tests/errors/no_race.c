// bug: none
// settings: races
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct item { int value; };
_Atomic(struct item *) shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, flagged;
atomic_int flag;
static void *one(void *u) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    struct item *item = malloc(sizeof *item);
    item->value = 3;
    atomic_store(&shared, item);
    flagged = 1;
    atomic_store(&flag, 1);
    return u;
}
static void *two(void *u) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    struct item *item = atomic_load(&shared);
    if (item)
        item->value++;
    if (atomic_load(&flag))
        flagged = 2;
    return u;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0), pthread_join(t, 0);
    return x + flagged;
}
