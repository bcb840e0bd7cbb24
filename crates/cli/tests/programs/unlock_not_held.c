// A thread unlocks what it does not hold.
// check:
// verdict: bug
// bug: misuse
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex); // <- bug
    return 0;
}
