// A sequence lock: writers, who exclude each other, count when they begin and when they end; readers read again if the
// count was odd or has changed. Source of the counts: FMCAD 2022, Table I; unlike its tool, ours waits for bits of a
// word, so that less blocks: 23, with optimal and source alike.
// columns: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --unroll 1 | 147+230 | 9+83 | 9+23 | 9+23
// paper: 147+230 | 9+83 | 9+36 | 9+36
// large columns: -DWRITERS=1 -DREADERS=1 -DBOTH=2 --unroll 1 | - | 88+2769 | 88+454 | 88+454
// paper: 87980+104583 | 88+2769 | 88+729 | 88+729
#include <pthread.h>
#include <stdatomic.h>


static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static atomic_int sequence, shared;

static int read_begin(void) {
    int now;
    while ((now = atomic_load(&sequence)) & 1)
        ;
    return now;
}

static int read_all(void) {
    int before, found;
    do {
        before = read_begin();
        found = atomic_load(&shared);
    } while (atomic_load(&sequence) != before);
    return found;
}

static void write(int new) {
    pthread_mutex_lock(&writing);
    atomic_fetch_add(&sequence, 1);
    atomic_store(&shared, new);
    atomic_fetch_add(&sequence, 1);
    pthread_mutex_unlock(&writing);
}

static void *writer(void *unused) {
    write(42);
    return 0;
}

static void *reader(void *unused) {
    read_all();
    return 0;
}

static void *both(void *unused) {
    write(read_all() + 1);
    return 0;
}

// No loop, which --unroll would cut.
static void start(int count, void *(*body)(void *)) {
    pthread_t thread;
    if (count == 0)
        return;
    pthread_create(&thread, 0, body, 0);
    start(count - 1, body);
}

int main(void) {
    start(WRITERS, writer);
    start(READERS, reader);
    start(BOTH, both);
    return 0;
}
