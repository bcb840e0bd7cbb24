// A variable of a loop's body is another one in every round: who has kept the address of the last one has nothing. The
// pointer is a local one, or where another thread finds it.
// check:
// verdict: bug
// bug: use-after-free
// check: -DFUNCTION
// verdict: bug
// bug: use-after-free
// check: -DSHARED
// verdict: bug
// bug: use-after-free
// check: -DSHARED --algorithm graphs --memory-model rc11
// verdict: bug
// bug: use-after-free
// check: -DCURRENT
// verdict: verified
#include <assert.h>
#include <pthread.h>

#ifdef SHARED
// The first round ends before its thread has run: it finds what the variable was, in whatever round.
static void *set(void *variable) {
    *(int *)variable = 1; // <- bug
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int x = 0;
        pthread_create(&threads[i], 0, set, &x);
        if (i == 1)
            pthread_join(threads[1], 0);
    }
    pthread_join(threads[0], 0);
}
#else
#ifdef FUNCTION
static int look(int *p) { return *p; } // <- bug
#elif defined(CURRENT)
static int look(int *p) { return *p; }
#endif

int main(void) {
    int *last = 0;
    for (int i = 0; i < 3; i++) {
        int x = i;
#ifdef FUNCTION
        if (last)
            assert(look(last) < i);
        last = &x;
#elif defined(CURRENT)
        last = &x;
        assert(look(last) == i);
#else
        if (last)
            assert(*last < i); // <- bug
        last = &x;
#endif
    }
}
#endif
