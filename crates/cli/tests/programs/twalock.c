// A ticket lock with a waiting array: threads far from their turn wait at a slot of their own and not at the lock.
// Each thread takes it once. Source of the counts: FMCAD 2022, Table I; that of the first column is the same for
// optimal and source.
// columns: -DN=3 --unroll 3 | 96+90 | 96+90 | 96 | 96
// paper: 96+90 | 96+90 | 96 | 96
// large columns: -DN=4 --unroll 4 | - | 6144+7224 | 6144 | 6144
// paper: 6144+7224 | 6144+7224 | 6144 | 6144
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 32
#define NEAR 1

static atomic_int tickets, turn, slot[SLOTS];
static int shared;

static void lock(void) {
    int ticket = atomic_fetch_add(&tickets, 1);
    int ahead = ticket - atomic_load(&turn);
    if (ahead == 0)
        return;
    if (ahead > NEAR) {
        int seen = atomic_load(&slot[ticket % SLOTS]);
        ahead = ticket - atomic_load(&turn);
        while (ahead > NEAR) {
            int found;
            while ((found = atomic_load(&slot[ticket % SLOTS])) == seen)
                ;
            seen = found;
            ahead = ticket - atomic_load(&turn);
        }
    }
    while (atomic_load(&turn) != ticket)
        ;
}

static void unlock(void) {
    int next = atomic_load(&turn) + 1;
    atomic_store(&turn, next);
    atomic_fetch_add(&slot[(next + NEAR) % SLOTS], 1);
}

static void *once(void *argument) {
    int id = (int)(long)argument;
    lock();
    shared = id;
    assert(shared == id);
    unlock();
    return 0;
}

// No loop, which --unroll would cut.
static void start(long id) {
    pthread_t thread;
    if (id == N)
        return;
    pthread_create(&thread, 0, once, (void *)id);
    start(id + 1);
}

int main(void) {
    start(0);
    return 0;
}
