// A message is published before it is filled in.
// check: --memory-model=sc
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct message { int length; int *data; };
static struct message *_Atomic box;

static void *receiver(void *arg) {
    struct message *m = box;
    if (m) {
        int sum = 0;
        for (int i = 0; i < m->length; i++) sum += m->data[i];
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, receiver, NULL);
    struct message *m = malloc(sizeof *m);
    box = m;
    m->length = 0;
    m->data = NULL;
    pthread_join(thread, NULL);
    free(m);
}
