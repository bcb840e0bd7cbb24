// A thread uses a variable of main after the block that it is declared in has ended.
// check:
// verdict: bug
// bug: use-after-free
// check: --algorithm graphs --memory-model rc11
// verdict: bug
// bug: use-after-free
#include <pthread.h>

static void *set(void *variable) {
    *(int *)variable = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    {
        int local = 0;
        pthread_create(&thread, 0, set, &local);
    }
    pthread_join(thread, 0);
}
