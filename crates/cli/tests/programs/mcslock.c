// The queue lock of Mellor-Crummey and Scott: whoever waits does so at a place of its own, which the one before it
// knows. Each thread takes it once. In FMCAD 2022, Table I, the loop in `unlock` is not seen to do nothing, and cut; here
// it is, so that there are fewer executions: as many as with an assumption in its place.
// columns: -DN=3 | 66+102 | 66+102 | 66 | 66
// paper: 336+426 | 336+426 | 336+72 | 336+72
//
// That is all that differs: where the loop in `lock` is an assumption, or an await, and that in `unlock` is cut after three
// rounds, there are the paper's numbers.
// check: -DN=3 -DASSUMED --loops plain --unroll 3
// verdict: incomplete
// complete: 336
// blocked: 426
// check: -DN=3 -DAWAITED --loops plain --unroll 3
// verdict: incomplete
// complete: 336
// blocked: 72
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int condition);
int __VERIFIER_load_await_aint(atomic_int *address, int relation, int operand);
enum { NOT_EQUAL = 5 };

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
#if defined(ASSUMED)
    __VERIFIER_assume(atomic_load(&own->granted));
#elif defined(AWAITED)
    __VERIFIER_load_await_aint(&own->granted, NOT_EQUAL, 0);
#else
    while (!atomic_load(&own->granted))
        ;
#endif
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
