// Memory is freed while a thread may be using a synchronisation object in it: nothing but its use could order the two. The
// execution that is explored may have either of them first, whichever thread does what.
// check: -DUSES_FIRST
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST --algorithm graphs --races
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST --algorithm graphs --races
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST --algorithm graphs
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST --algorithm graphs
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST --memory-model tso --races off
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST --memory-model tso --races off
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST -DCONDITION --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST -DCONDITION --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST -DSEMAPHORE --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST -DSEMAPHORE --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST -DINIT --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DFREES_FIRST -DINIT --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DUSES_FIRST -DORDERED
// verdict: verified
// check: -DUSES_FIRST -DORDERED --algorithm graphs
// verdict: verified
// check: -DFREES_FIRST -DORDERED --algorithm graphs
// verdict: verified
// check: -DFREES_FIRST -DORDERED --memory-model rc11
// verdict: verified
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    sem_t semaphore;
    int users;
};

static struct object *object;
static atomic_int is_used;

#ifdef ORDERED
// The last one who unlocks the mutex frees it.
static void leave(void) {
    pthread_mutex_lock(&object->mutex);
    int left = --object->users;
    pthread_mutex_unlock(&object->mutex);
    if (left == 0)
        free(object);
}

#define use_object leave
#define free_object leave
#else
static void use_object(void) {
    atomic_store(&is_used, 1);
#ifdef CONDITION
    pthread_cond_signal(&object->condition);
#elif defined SEMAPHORE
    sem_post(&object->semaphore);
#elif defined INIT
    pthread_mutex_init(&object->mutex, 0);
#else
    pthread_mutex_lock(&object->mutex);
#endif
}

static void free_object(void) {
    if (atomic_load(&is_used))
        free(object);
}
#endif

static void *other(void *unused) {
#ifdef USES_FIRST
    free_object();
#else
    use_object();
#endif
    return 0;
}

int main(void) {
    object = malloc(sizeof *object);
    pthread_mutex_init(&object->mutex, 0);
    pthread_cond_init(&object->condition, 0);
    sem_init(&object->semaphore, 0, 0);
    object->users = 2;
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
#ifdef USES_FIRST
    use_object();
#else
    free_object();
#endif
    pthread_join(thread, 0);
}
