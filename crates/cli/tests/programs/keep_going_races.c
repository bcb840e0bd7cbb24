// A writer races with two readers, which race with nobody else.
// check: --keep-going --races
// verdict: bug
// bugs: data-race data-race
// check: --keep-going
// verdict: verified
#include <pthread.h>

int x;

static void *one(void *unused) {
    return x ? unused : 0;
}

static void *two(void *unused) {
    return x ? unused : 0;
}

static void *writer(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_create(&threads[2], 0, writer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
