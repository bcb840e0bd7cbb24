// N! executions that all begin with the same PREFIX steps, a multiple of 4.
// check: -DPREFIX=100 -DN=4
// verdict: verified
// complete: 24
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int noise;
atomic_int x;

static void *nothing(void *unused) {
    return 0;
}

static void *write(void *value) {
    atomic_store(&x, (int)(long)value);
    return 0;
}

int main(void) {
    pthread_t thread;
    // From here on there are others who could notice.
    pthread_create(&thread, 0, nothing, 0);
    for (int i = 0; i < PREFIX / 4; i++) {
        pthread_mutex_lock(&mutex);
        noise++;
        pthread_mutex_unlock(&mutex);
    }
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, write, (void *)(i + 1));
    return 0;
}
