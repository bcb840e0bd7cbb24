// bug: use after free at line 7
#include <pthread.h>
#include <stdlib.h>
struct node { int value, other; } *shared;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *u) {
    return (void *)(long)shared->other;
}
int main(void) {
    pthread_t t;
    shared = calloc(1, sizeof *shared);
    pthread_create(&t, 0, reader, 0);
    free(shared);
    pthread_join(t, 0);
}
