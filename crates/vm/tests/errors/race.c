// bug: data race at line 7: two unordered accesses to x
// settings: races
#include <pthread.h>
int x;
static void *one(void *u) { x = 1; return u; }
static void *two(void *u) {
    x = 2;
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
}
