// Where data races are no failures, plain accesses are relaxed ones, and a program that has nothing else is small, too: the flag
// may be seen without the data.
// check: --races off
// verdict: bug
// bug: assertion
// check: --races off --algorithm optimal
// verdict: bug
// bug: assertion
// check: --races off --memory-model sc
// verdict: verified
// check:
// verdict: bug
// bug: data-race
#include <assert.h>
#include <pthread.h>

int data, flag;

static void *send(void *unused) {
    data = 1;
    flag = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, send, 0);
    if (flag)
        assert(data);
    pthread_join(thread, 0);
}
