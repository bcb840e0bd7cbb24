// Threads use words of an object, and who leaves last gives it back, without having joined the others. Only the order in
// which they leave makes a difference: 3! = 6, and not the order of accesses to different words of the object, whether it
// is large (SIZE) or has a mutex (MUTEX). With EARLY, who leaves before the last one gives it back.
// check: --algorithm reads-from
// verdict: verified
// complete: 6
// redundant: 0
// check:
// verdict: verified
// complete: 6
// check: --algorithm reads-from -DSIZE=400
// verdict: verified
// complete: 6
// redundant: 0
// check: --algorithm reads-from -DMUTEX
// verdict: verified
// complete: 6
// redundant: 0
// check: --algorithm reads-from -DEARLY --races off
// bug: use-after-free
// check: -DEARLY --races off
// bug: use-after-free
// check: --algorithm reads-from -DSIZE=400 -DEARLY --races off
// bug: use-after-free
// check: --algorithm reads-from -DMUTEX -DEARLY --races off
// bug: use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 1
#endif
#ifdef EARLY
#define LAST 1
#else
#define LAST 0
#endif

enum { N = 3 };

struct object {
    int first, own[N];
    char large[SIZE];
#ifdef MUTEX
    pthread_mutex_t mutex;
    int users;
#else
    atomic_int users;
#endif
};

struct object *object;

static int leave(void) {
#ifdef MUTEX
    pthread_mutex_lock(&object->mutex);
    int left = --object->users;
    pthread_mutex_unlock(&object->mutex);
    return left;
#else
    return atomic_fetch_sub(&object->users, 1) - 1;
#endif
}

static void *use(void *argument) {
    long number = (long)argument;
    object->own[number] = object->first;
    object->own[number] += 1;
    if (leave() == LAST) {
        free(object);
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    object = calloc(1, sizeof *object);
    object->users = N;
#ifdef MUTEX
    pthread_mutex_init(&object->mutex, 0);
#endif
    for (long i = 0; i < N; i++) {
        pthread_create(&threads[i], 0, use, (void *)i);
    }
    for (long i = 0; i < N; i++) {
        pthread_join(threads[i], 0);
    }
}
