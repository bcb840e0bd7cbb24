// Two increments that are a load and a store each.
// check:
// verdict: bug
// bug: assertion
// message: counter == 2
#include <assert.h>
#include <pthread.h>

int counter;

static void *increment(void *unused) {
    counter++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, increment, 0);
    increment(0);
    pthread_join(thread, 0);
    assert(counter == 2); // <- bug
    return 0;
}
