// A variable whose size is known at run time only ends with its block, like any other.
// check:
// verdict: verified
// check: -O1
// verdict: verified
// check: -DAFTER
// verdict: bug
// bug: use-after-free
// message: its scope has ended
// check: -DSHARED
// verdict: bug
// bug: use-after-free
// message: its scope has ended
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) shared;

static void *look(void *unused) {
    int *seen = atomic_load(&shared);
    return seen && *seen == 3 ? seen : 0;
}

int main(int count, char **arguments) {
    int *last = 0, sum = 0;
    for (int i = 1; i <= 4; i++) {
        int outer[i];
        for (int j = 0; j < i; j++)
            outer[j] = j;
        {
            char inner[2 * i];
            inner[i] = 1;
            sum += inner[i];
        }
        // What is left of the block inside is not what there was before it.
        for (int j = 0; j < i; j++)
            sum += outer[j];
        last = outer;
    }
    assert(sum == 4 + 0 + 1 + 3 + 6);
#ifdef AFTER
    sum += *last;
#endif
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    {
        int variable[count + 2];
        variable[0] = 3;
        atomic_store(&shared, variable);
#ifndef SHARED
        pthread_join(thread, 0);
#endif
    }
#ifdef SHARED
    pthread_join(thread, 0);
#endif
}
