// The queue lock of Mellor-Crummey and Scott: whoever waits does so at a place of its own, which the one before it
// knows. Each thread takes it once. In FMCAD 2022, Table I, the loop in `unlock` is not seen to do nothing, and cut; here
// it is, so that there are fewer executions: as many as with an assumption in its place.
// columns: -DN=3 | 66+102 | 66+102 | 66 | 66
// paper: 336+426 | 336+426 | 336+72 | 336+72
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct place {
    _Atomic(struct place *) next;
    atomic_int granted;
};

static _Atomic(struct place *) last;
static struct place places[N];
static int shared;

static void lock(struct place *own) {
    atomic_store(&own->granted, 0);
    atomic_store(&own->next, NULL);
    struct place *before = atomic_exchange(&last, own);
    if (!before)
        return;
    atomic_store(&before->next, own);
    while (!atomic_load(&own->granted))
        ;
}

static void unlock(struct place *own) {
    struct place *next = atomic_load(&own->next);
    if (!next) {
        struct place *expected = own;
        if (atomic_compare_exchange_strong(&last, &expected, NULL))
            return;
        while (!(next = atomic_load(&own->next)))
            ;
    }
    atomic_store(&next->granted, 1);
}

static void *once(void *argument) {
    int id = (int)(long)argument;
    lock(&places[id]);
    shared = id;
    assert(shared == id);
    unlock(&places[id]);
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
