// A configuration is freed while a reader may still have it.
// check: --memory-model=sc
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct config { char name[16]; int version; };
static struct config *_Atomic current;

static void *reader(void *arg) {
    struct config *c = current;
    printf("%s %d\n", c->name, c->version);
    return NULL;
}

static void *updater(void *arg) {
    struct config *new = malloc(sizeof *new);
    strcpy(new->name, "new");
    new->version = 2;
    struct config *old = atomic_exchange(&current, new);
    free(old);
    return NULL;
}

int main(void) {
    struct config *first = malloc(sizeof *first);
    strcpy(first->name, "old");
    first->version = 1;
    current = first;
    pthread_t r, u;
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&u, NULL, updater, NULL);
    pthread_join(r, NULL);
    pthread_join(u, NULL);
    free(current);
}
