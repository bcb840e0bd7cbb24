// Each thread says that it is first. There are three executions: the first thread is first, the second one is, or
// neither; in the last one, both fail.
// check: --keep-going
// verdict: bug
// bugs: assertion assertion
// complete: 0
// failed: 3
// check: --keep-going --algorithm source
// bugs: assertion assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *one(void *unused) {
    x = 1;
    assert(y == 0); // <- one bug
    return 0;
}

static void *two(void *unused) {
    y = 1;
    assert(x == 0); // <- one bug
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
