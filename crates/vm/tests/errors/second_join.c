// bug: misuse at line 11: thread is joined a second time
#include <pthread.h>
static void *thread(void *u) {
    return u;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);

    pthread_join(t, 0);
}
