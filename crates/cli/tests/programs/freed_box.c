// Three writers of two words and a reader of both, of which the last one to leave gives them back. The reader finds 0 or what
// one of the three has written, in each word, and any two of these go together: 16. They leave in 4! orders: 16 * 24 = 384.
// check: --algorithm reads-from
// verdict: verified
// complete: 384
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct box {
    atomic_long x, y, users;
};

struct box *box;

static void leave(void) {
    if (atomic_fetch_sub(&box->users, 1) == 1) {
        free(box);
    }
}

static void *writer(void *argument) {
    atomic_store(&box->x, (long)argument);
    atomic_store(&box->y, (long)argument);
    leave();
    return 0;
}

static void *reader(void *argument) {
    atomic_load(&box->x);
    atomic_load(&box->y);
    leave();
    return argument;
}

int main(void) {
    pthread_t threads[4];
    box = calloc(1, sizeof *box);
    atomic_init(&box->users, 4);
    for (long i = 0; i < 3; i++) {
        pthread_create(&threads[i], 0, writer, (void *)(i + 1));
    }
    pthread_create(&threads[3], 0, reader, 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], 0);
    }
}
