// Values that belong to threads, by keys with destructors.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key, plain;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed, sum;

static void destroy(void *value) {
    pthread_mutex_lock(&mutex);
    destroyed++;
    sum += *(int *)value;
    pthread_mutex_unlock(&mutex);
    free(value);
}

static void deepen(int n) {
    int *mine = pthread_getspecific(key);
    *mine += n;
    if (n > 0) deepen(n - 1);
}

static void *work(void *argument) {
    if (pthread_getspecific(key) != NULL) printf("not fresh\n");
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)argument;
    pthread_setspecific(key, mine);
    pthread_setspecific(plain, argument);
    deepen(3);
    return pthread_getspecific(plain) == argument ? mine : NULL;
}

int main(void) {
    printf("%d %d\n", pthread_key_create(&key, destroy), pthread_key_create(&plain, NULL));
    pthread_t a, b;
    int x = 100, y = 200;
    void *r, *s;
    pthread_create(&a, NULL, work, &x);
    pthread_create(&b, NULL, work, &y);
    pthread_join(a, &r);
    pthread_join(b, &s);
    printf("%d %d %d %d\n", r != NULL, s != NULL, destroyed, sum);
    printf("%d\n", pthread_getspecific(key) == NULL);
    pthread_key_delete(key);
    pthread_key_delete(plain);
    return 0;
}
