// A pointer is followed before another thread has set it.
// check:
// verdict: bug
// bug: null-pointer
#include <pthread.h>
#include <stdatomic.h>

int value = 1;
_Atomic(int *) pointer;

static void *publish(void *unused) {
    atomic_store(&pointer, &value);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    int *mine = atomic_load(&pointer);
    int read = *mine; // <- bug
    pthread_join(thread, 0);
    return read - 1;
}
