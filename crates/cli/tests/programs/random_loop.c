// A loop that a random number ends, here in its second round: what `rand` gives next is another number, so a round that goes on is
// not left out.
// check:
// verdict: bug
// bug: assertion
// check: -DRIGHT
// verdict: verified
// complete: 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RIGHT
#define MOST 1
#else
#define MOST 0
#endif

static atomic_int x;

static void *writer(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    int seen;
    pthread_create(&thread, 0, writer, 0);
    do {
        seen = x;
    } while (rand() % 5 != 3);
    assert(seen <= MOST);
    pthread_join(thread, 0);
    return 0;
}
