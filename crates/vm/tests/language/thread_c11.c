// threads.h: threads with results, mutexes, condition variables, once, thread-specific storage.
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int stage, setups, destroyed;
static thread_local int own = 3;

static void set_up(void) { setups++; }
static void destroy(void *value) {
    mtx_lock(&mutex);
    destroyed += *(int *)value;
    mtx_unlock(&mutex);
}

static int work(void *argument) {
    int me = *(int *)argument;
    call_once(&once, set_up);
    tss_set(key, argument);
    mtx_lock(&mutex);
    while (stage != me) cnd_wait(&changed, &mutex);
    printf("stage %d\n", stage++);
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
    own += me;
    if (me == 2) thrd_exit(own * 100);
    return own + (tss_get(key) == argument);
}

int main(void) {
    printf("%d\n", mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success);
    tss_create(&key, destroy);
    thrd_t threads[3];
    int ids[3] = {2, 0, 1}, results[3];
    for (int i = 0; i < 3; i++)
        if (thrd_create(&threads[i], work, &ids[i]) != thrd_success) return 1;
    for (int i = 0; i < 3; i++) thrd_join(threads[i], &results[i]);
    printf("%d %d %d %d %d %d\n", results[0], results[1], results[2], setups, own, destroyed);
    printf("%d\n", mtx_trylock(&mutex) == thrd_success);
    printf("%d\n", mtx_trylock(&mutex) == thrd_busy);
    mtx_unlock(&mutex);
    mtx_destroy(&mutex);
    cnd_destroy(&changed);
    tss_delete(key);
    printf("%d\n", thrd_equal(thrd_current(), thrd_current()) != 0);
    return 0;
}
