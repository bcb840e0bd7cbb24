#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
static _Thread_local int local = 5;
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total;
static sem_t s;
static void gone(void *value) { printf("gone %ld\n", (long)value); }
static void *thread(void *argument) {
    long n = (long)argument;
    local += (int)n;
    pthread_setspecific(key, (void *)(n + 1));
    pthread_mutex_lock(&m);
    total += local;
    pthread_mutex_unlock(&m);
    if (n == 2) pthread_exit((void *)99L);
    return (void *)(n * 10);
}
static void bye(void) { puts("bye"); }
int main(void) {
    pthread_t ids[3];
    atexit(bye);
    pthread_key_create(&key, gone);
    sem_init(&s, 0, 1);
    pthread_mutexattr_t attribute;
    pthread_mutexattr_init(&attribute);
    pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t r;
    pthread_mutex_init(&r, &attribute);
    pthread_mutex_lock(&r), pthread_mutex_lock(&r);
    pthread_mutex_unlock(&r), pthread_mutex_unlock(&r);
    pthread_mutex_destroy(&r);
    sem_wait(&s), printf("%d\n", sem_trywait(&s)), sem_post(&s);
    for (long i = 0; i < 3; i++) {
        void *result;
        pthread_create(&ids[i], 0, thread, (void *)i);
        pthread_join(ids[i], &result);
        printf("%ld\n", (long)result);
    }
    printf("%d %d %d\n", total, local, pthread_mutex_trylock(&m));
    printf("%d\n", pthread_equal(pthread_self(), pthread_self()) != 0);
    exit(4);
}
