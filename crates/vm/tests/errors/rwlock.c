// bug: none
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, y;
static void *writer(void *u) {
    pthread_rwlock_wrlock(&l);
    x++, y++;
    pthread_rwlock_unlock(&l);
    return u;
}
static void *reader(void *u) {
    pthread_rwlock_rdlock(&l);
    assert(x == y);
    pthread_rwlock_unlock(&l);
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    pthread_create(&t, 0, reader, 0);
    pthread_create(&t, 0, reader, 0);
}
