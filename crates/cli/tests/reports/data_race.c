// A counter that two threads increment without a lock.
// check: --races
#include <pthread.h>
#include <stdio.h>

static int counter;
static int hits[4];

static void *increment(void *arg) {
    int which = *(int *)arg;
    counter++;
    hits[which & 1]++;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, increment, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", counter);
}
