// Spin locks, a detached thread that announces its end, attributes.
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t spin;
static int shared;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int finished;

static void *work(void *by) {
    for (int i = 0; i < 5; i++) {
        pthread_spin_lock(&spin);
        shared += *(int *)by;
        pthread_spin_unlock(&spin);
    }
    pthread_mutex_lock(&mutex);
    finished++;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    static int one = 1, hundred = 100;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_t a, b;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    pthread_create(&a, &attributes, work, &one);
    pthread_attr_destroy(&attributes);
    pthread_create(&b, NULL, work, &hundred);
    pthread_detach(b);
    pthread_join(a, NULL);
    pthread_mutex_lock(&mutex);
    while (finished < 2) pthread_cond_wait(&done, &mutex);
    pthread_mutex_unlock(&mutex);
    printf("%d %d\n", shared, finished);
    printf("%d\n", pthread_spin_trylock(&spin));
    printf("%d\n", pthread_spin_trylock(&spin) != 0);
    pthread_spin_unlock(&spin);
    pthread_spin_destroy(&spin);
    return 0;
}
