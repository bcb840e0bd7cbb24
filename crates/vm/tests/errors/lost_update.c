// bug: assertion failure at line 14: assertion failed: x == 2
#include <assert.h>
#include <pthread.h>
int x;
static void *increment(void *u) {
    x++;
    return u;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, increment, 0), pthread_create(&t, 0, increment, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x == 2);
}
