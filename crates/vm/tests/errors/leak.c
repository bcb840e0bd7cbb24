// bug: leak
// settings: leaks
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *u) {
    return malloc(3);
}
int main(void) {
    pthread_t t;
    void *result;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, &result);
}
