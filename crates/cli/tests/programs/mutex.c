// A mutex of three states, after Drepper: free, taken, taken and perhaps waited for. Whoever finds it taken marks it
// and sleeps; sleeping is spinning until somebody was woken since. Each thread takes it once. Source of the counts:
// FMCAD 2022, Table I.
// columns: -DN=2 --unroll 2 | 12+2 | 12+2 | 12 | 10
// paper: 12+2 | 12+2 | 12 | 10
// large columns: -DN=3 --unroll 3 | - | 6582+1188 | 6582+336 | 3618+312
// paper: 9486+1236 | 6582+1188 | 6582+336 | 3618+312
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { FREE, TAKEN, WAITED_FOR };

static atomic_int mutex, wakeups;
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
    do {
        change(TAKEN, WAITED_FOR);
        sleep_while(WAITED_FOR);
    } while (!change(FREE, WAITED_FOR));
}

static void unlock(void) {
    if (change(TAKEN, FREE))
        return;
    atomic_store(&mutex, FREE);
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
