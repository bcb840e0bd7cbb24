// Initialisation that happens once, whoever comes first.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int initialised;
static int *table;

static void initialise(void) {
    initialised++;
    table = malloc(10 * sizeof *table);
    for (int i = 0; i < 10; i++) table[i] = i * i;
}

static void *look(void *argument) {
    int *n = argument;
    pthread_once(&once, initialise);
    *n = table[*n];
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    int n[3] = {3, 5, 9};
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, look, &n[i]);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    pthread_once(&once, initialise);
    printf("%d %d %d %d\n", n[0], n[1], n[2], initialised);
    free(table);
    return 0;
}
