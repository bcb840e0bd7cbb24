// bug: double free
#include <pthread.h>
#include <stdlib.h>
static void *thread(void *p) {
    free(p);
    return 0;
}
int main(void) {
    pthread_t s, t;
    void *p = malloc(8);
    pthread_create(&s, 0, thread, p);
    pthread_create(&t, 0, thread, p);
}
