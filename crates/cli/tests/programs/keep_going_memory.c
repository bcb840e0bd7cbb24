// Memory errors one after the other: what comes after one is found if another execution gets there.
// check: --keep-going
// verdict: bug
// bugs: double-free use-after-free use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *_Atomic shared;

static void *reader(void *unused) {
    int *mine = shared;
    if (*mine == 7) // <- one bug
        *mine = 8; // <- one bug
    return 0;
}

static void *owner(void *unused) {
    free(shared); // <- one bug
    return 0;
}

int main(void) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 7;
    shared = fresh;
    pthread_t threads[3];
    pthread_create(&threads[0], 0, reader, 0);
    pthread_create(&threads[1], 0, owner, 0);
    pthread_create(&threads[2], 0, owner, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
