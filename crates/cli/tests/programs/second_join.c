// A thread is joined twice.
// check:
// verdict: bug
// bug: misuse
#include <pthread.h>

static void *nothing(void *unused) {
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, nothing, 0);
    pthread_join(thread, 0);
    pthread_join(thread, 0); // <- bug
    return 0;
}
