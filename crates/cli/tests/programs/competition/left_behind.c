// A thread uses a variable of the function that has started it, which may have returned; values of
// a key are freed by its destructor, or left behind.
// check: --property valid-memsafety -DRETURNS
// verdict: bug
// bug: use-after-free
// check: --property valid-memsafety -DRETURNS -DJOINS
// verdict: verified
// check: --property unreach-call -DKEY
// verdict: verified
// check: --property valid-memsafety -DKEY
// verdict: verified
// check: --property valid-memsafety -DKEY -DNO_DESTRUCTOR
// verdict: bug
// bug: leak
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

#if defined RETURNS
static void *thread(void *variable) {
    *(int *)variable = 1;
    return 0;
}

static pthread_t start(void) {
    int variable = 0;
    pthread_t started;
    pthread_create(&started, 0, thread, &variable);
#ifdef JOINS
    pthread_join(started, 0);
#endif
    return started;
}

int main(void) {
    pthread_t started = start();
#ifndef JOINS
    pthread_join(started, 0);
#endif
    return 0;
}
#elif defined KEY
pthread_key_t key;
int destroyed;

static void destroy(void *value) {
    __VERIFIER_atomic_begin();
    destroyed += *(int *)value;
    __VERIFIER_atomic_end();
    free(value);
}

static void *thread(void *argument) {
    int *value = malloc(sizeof *value);
    *value = (int)(long)argument;
    pthread_setspecific(key, value);
    return 0;
}

int main(void) {
#ifdef NO_DESTRUCTOR
    pthread_key_create(&key, 0);
#else
    pthread_key_create(&key, destroy);
#endif
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread, (void *)1);
    pthread_create(&threads[1], 0, thread, (void *)2);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
#ifndef NO_DESTRUCTOR
    assert(destroyed == 3);
#endif
    return 0;
}
#endif
