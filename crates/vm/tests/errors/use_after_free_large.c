// bug: use after free
#include <pthread.h>
#include <stdlib.h>
int *shared;
static void *reader(void *u) {
    return (void *)(long)shared[500];
}
int main(void) {
    pthread_t t;
    shared = calloc(1000, sizeof *shared);
    pthread_create(&t, 0, reader, 0);
    free(shared);
    pthread_join(t, 0);
}
