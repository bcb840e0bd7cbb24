// bug: assertion failure
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
static void *thread(void *u) {
    x = 1;
    assert(0);
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    exit(3);
}
