// Who gives back the last reference frees the object. With one reference too few, it is freed while another thread reads it;
// with one too many, it is never freed, and nothing points to it in the end.
// check: --property valid-memsafety -DREFERENCES=3
// verdict: verified
// check: --property valid-memsafety -DREFERENCES=2
// verdict: bug
// bug: use-after-free
// check: --property valid-memsafety -DREFERENCES=4
// verdict: bug
// bug: leak
#include <pthread.h>
#include <stdlib.h>

struct object {
    int references, value;
};

int __VERIFIER_atomic_one_less(int *number) { return --*number; }

static void give_back(struct object *object) {
    if (__VERIFIER_atomic_one_less(&object->references) == 0)
        free(object);
}

static void *thread(void *argument) {
    struct object *object = argument;
    long value = object->value;
    give_back(object);
    return (void *)value;
}

int main(void) {
    struct object *object = malloc(sizeof *object);
    object->references = REFERENCES;
    object->value = 7;
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread, object);
    pthread_create(&threads[1], 0, thread, object);
    give_back(object);
    object = 0;
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
