// A counter behind a mutex; trylock, recursive and error-checking mutexes.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *argument) {
    for (int i = 0; i < *(int *)argument; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int n = 20, m = 22;
    pthread_create(&a, NULL, count, &n);
    pthread_create(&b, NULL, count, &m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", counter);
    pthread_mutex_lock(&mutex);
    printf("%d\n", pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_mutex_unlock(&mutex);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t recursive;
    pthread_mutex_init(&recursive, &attributes);
    int locks = 0;
    while (locks < 5 && pthread_mutex_lock(&recursive) == 0) locks++;
    for (int i = 0; i < locks; i++) pthread_mutex_unlock(&recursive);
    printf("%d %d\n", locks, pthread_mutex_destroy(&recursive));
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t checked;
    pthread_mutex_init(&checked, &attributes);
    pthread_mutex_lock(&checked);
    printf("%d\n", pthread_mutex_lock(&checked) == EDEADLK);
    pthread_mutex_unlock(&checked);
    pthread_mutex_destroy(&checked);
    pthread_mutexattr_destroy(&attributes);
    return 0;
}
