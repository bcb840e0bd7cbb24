// bug: none
#include <assert.h>
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int x;
static void init(void) { x++; }
static void *thread(void *u) {
    pthread_once(&once, init);
    assert(x == 1);
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_create(&t, 0, thread, 0);
}
