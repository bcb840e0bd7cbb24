// A variable of a loop's body is another one in every round, and is used while it is there.
// check:
// verdict: verified
// complete: 1
#include <assert.h>
#include <pthread.h>

static void *set(void *variable) {
    *(int *)variable = 1;
    return 0;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        int local = 0;
        pthread_create(&thread, 0, set, &local);
        pthread_join(thread, 0);
        assert(local == 1);
        if (i == 1)
            continue;
    }
}
