// Two threads create an instance each, and one is forgotten.
// check: --memory-model=sc --leaks
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static int *get(void) {
    if (!instance) {
        int *created = malloc(sizeof *created);
        *created = 42;
        instance = created;
    }
    return instance;
}

static void *user(void *arg) { get(); return NULL; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
}
