// bug: misuse at line 6: the mutex m is unlocked by a thread that does not hold it
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
}
