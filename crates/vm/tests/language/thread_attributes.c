// Attributes of threads, mutexes, read-write locks and barriers.
#include <pthread.h>
#include <stdio.h>

static void *same(void *argument) { return argument; }

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;
    int state = -1, type = -1;
    size_t size = 0;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
    pthread_attr_getdetachstate(&attributes, &state);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_create(&thread, &attributes, same, &state);
    pthread_join(thread, &result);
    printf("%d %d %d\n", state == PTHREAD_CREATE_JOINABLE, size > 0, result == &state);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, same, NULL);
    pthread_attr_destroy(&attributes);

    pthread_mutexattr_t kind;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&kind, &type);
    pthread_mutex_init(&mutex, &kind);
    pthread_mutex_lock(&mutex);
    printf("%d %d\n", type == PTHREAD_MUTEX_RECURSIVE, pthread_mutex_lock(&mutex));
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    pthread_mutexattr_destroy(&kind);

    pthread_rwlockattr_t rw;
    pthread_rwlock_t lock;
    pthread_rwlockattr_init(&rw);
    pthread_rwlockattr_setpshared(&rw, PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_init(&lock, &rw);
    printf("%d %d\n", pthread_rwlock_rdlock(&lock), pthread_rwlock_unlock(&lock));
    pthread_rwlock_destroy(&lock);

    pthread_barrierattr_t ba;
    pthread_barrier_t barrier;
    pthread_barrierattr_init(&ba);
    pthread_barrierattr_setpshared(&ba, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&barrier, &ba, 1);
    printf("%d\n", pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_barrier_destroy(&barrier);
    return 0;
}
