// Two threads start a thread each, in either order, and each order fails in one of the checks: a replay meets the
// threads in the order of the execution that it runs, not in that of the exploration.
// check: -DFIRST=0
// verdict: bug
// bug: assertion
// check: -DFIRST=1
// verdict: bug
// bug: assertion
// check: -DFIRST=1 --first highest
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int arrived, seen = -1;

static void *leaf(void *branch) {
    if (branch == &seen)
        atomic_store(&seen, 1);
    else
        assert(atomic_load(&seen) != 1); // <- bug
    return NULL;
}

static void *branch(void *number) {
    pthread_t thread;
    int mine = *(int *)number;
    int is_first = atomic_fetch_add(&arrived, 1) == 0 && mine == FIRST;
    pthread_create(&thread, NULL, leaf, is_first ? &seen : &arrived);
    pthread_join(thread, NULL);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = { 0, 1 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, branch, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
