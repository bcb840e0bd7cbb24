// The queued spin lock of Linux 4: a word that says whether the lock is held, whether somebody is next in line, and
// who is the last of a queue of the others, who wait at places of their own. Each thread takes it once. Source of the
// counts: FMCAD 2022, Table I; unlike its tool, ours waits for bits of a word, and sees that the rounds of `queue_up` do
// nothing. There are as many executions as with a load at the start of its rounds.
// columns: -DN=2 --unroll 2 | 6+2 | 6+2 | 6 | 6
// paper: 6+2 | 6+2 | 6+2 | 6+2
// columns: -DN=3 --unroll 3 | 564+462 | 330+504 | 330+90 | 330+90
// paper: 564+462 | 564+462 | 564+456 | 564+456
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define LOCKED 1u
#define LOCKED_MASK 0xffu
#define PENDING 0x100u
#define TAIL 16

struct place {
    _Atomic(struct place *) next;
    atomic_int granted;
};

static atomic_uint lock;
static struct place places[N];
static int shared;

static int change(unsigned *from, unsigned to) {
    return atomic_compare_exchange_strong(&lock, from, to);
}

// Becomes the last of the queue; tells who was before.
static struct place *queue_up(int id) {
    unsigned before = atomic_load(&lock);
    while (!change(&before, (before & (LOCKED_MASK | PENDING)) | (unsigned)(id + 1) << TAIL))
        ;
    return before >> TAIL ? &places[(before >> TAIL) - 1] : NULL;
}

static void take_in_turn(int id) {
    struct place *own = &places[id], *next = NULL;
    unsigned now = 0;
    atomic_store(&own->granted, 0);
    atomic_store(&own->next, NULL);
    if (atomic_load(&lock) == 0 && change(&now, LOCKED))
        return;
    struct place *before = queue_up(id);
    if (before) {
        atomic_store(&before->next, own);
        while (!atomic_load(&own->granted))
            ;
        next = atomic_load(&own->next);
    }
    while ((now = atomic_load(&lock)) & (LOCKED_MASK | PENDING))
        ;
    while (now >> TAIL == (unsigned)id + 1)
        if (change(&now, LOCKED))
            return;
    atomic_fetch_or(&lock, LOCKED);
    if (!next)
        while (!(next = atomic_load(&own->next)))
            ;
    atomic_store(&next->granted, 1);
}

static void take(int id) {
    unsigned now = 0;
    if (change(&now, LOCKED))
        return;
    if (now == PENDING)
        while ((now = atomic_load(&lock)) == PENDING)
            ;
    while (!(now & ~LOCKED_MASK)) {
        unsigned new = now == LOCKED ? LOCKED | PENDING : LOCKED;
        if (!change(&now, new))
            continue;
        if (new == LOCKED)
            return;
        while (atomic_load(&lock) & LOCKED_MASK)
            ;
        atomic_fetch_add(&lock, LOCKED - PENDING);
        return;
    }
    take_in_turn(id);
}

static void *once(void *argument) {
    int id = (int)(long)argument;
    take(id);
    shared = id;
    assert(shared == id);
    atomic_fetch_sub(&lock, LOCKED);
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
