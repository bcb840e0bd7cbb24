// Twenty threads say that they were here, in one variable that nobody reads: 20! orders of stores. One of them also looks
// whether another has said more: either it has, or it has not, and that is all that a thread can see.
// check: --algorithm optimal --timeout 1s
// verdict: incomplete
// check: --algorithm reads-from
// verdict: verified
// complete: 2
// redundant: 0
// check: --algorithm portfolio
// verdict: verified
// complete: 2
// note: `reads-from` has explored everything
// check: -DWRONG --algorithm reads-from
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 20

atomic_int last, more;

static void *was_here(void *argument) {
    int number = (int)(long)argument;
    atomic_store(&last, number);
    if (number == 0)
        atomic_store(&more, 1);
    if (number == N - 1) {
        int seen = atomic_load(&more);
#ifdef WRONG
        assert(seen);
#else
        assert(seen == 0 || seen == 1);
#endif
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, was_here, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
}
