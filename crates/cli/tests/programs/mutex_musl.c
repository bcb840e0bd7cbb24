// The mutex of musl, simplified: it counts those who wait, besides marking that somebody does. Sleeping is spinning
// until somebody was woken since. Each thread takes it once. Source of the counts: FMCAD 2022, Table I.
// columns: -DN=2 --unroll 1 | 20+2 | 20+2 | 20 | 20
// paper: 20+2 | 20+2 | 20 | 20
// large columns: -DN=3 --unroll 1 | - | 25146+93000 | 25146+81972 | 14736+36846
// paper: 25146+93000 | 25146+93000 | 25146+81972 | 14736+36846
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int mutex, waiters, wakeups;
static int shared;

static void sleep_while(int state) {
    int before = atomic_load(&wakeups);
    if (atomic_load(&mutex) != state)
        return;
    while (atomic_load(&wakeups) == before)
        ;
}

static int change(int from, int to) {
    return atomic_compare_exchange_strong(&mutex, &from, to);
}

static void lock(void) {
    if (change(FREE, TAKEN))
        return;
    while (!change(FREE, TAKEN)) {
        atomic_fetch_add(&waiters, 1);
        change(TAKEN, WAITED_FOR);
        sleep_while(WAITED_FOR);
        atomic_fetch_sub(&waiters, 1);
    }
}

static void unlock(void) {
    int before = atomic_exchange(&mutex, FREE);
    if (atomic_load(&waiters) > 0 || before != TAKEN)
        atomic_fetch_add(&wakeups, 1);
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
