// Threads and mutexes of <threads.h>, and a variable that every thread has its own of. Two orders of the sections.
// check: --races --leaks
// verdict: verified
// complete: 2
#include <assert.h>
#include <threads.h>

mtx_t mutex;
int counter;
_Thread_local int mine;

static int increment(void *argument) {
    mine = *(int *)argument;
    mtx_lock(&mutex);
    counter += mine;
    mtx_unlock(&mutex);
    return mine;
}

int main(void) {
    thrd_t first, second;
    int one = 1, two = 2, result;
    mtx_init(&mutex, mtx_plain);
    thrd_create(&first, increment, &one);
    thrd_create(&second, increment, &two);
    thrd_join(first, &result);
    assert(result == 1);
    thrd_join(second, &result);
    assert(result == 2 && counter == 3 && mine == 0);
    mtx_destroy(&mutex);
    return 0;
}
