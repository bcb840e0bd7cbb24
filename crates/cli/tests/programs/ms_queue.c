// The queue of Michael and Scott: a list whose tail may lag behind, and is helped on by whoever notices. Source of the
// counts: FMCAD 2022, Table I. The paper does not show the program; as in GenMC's test of that name, a reader that does not
// get the element it was after is assumed away, which gives the paper's numbers. There, loops begin with the question
// whether they are over, and are unrolled three times, which is two rounds. The paper's tool sees no
// round to do nothing; the one that it compares with does (SAVER): 75+284. Of those that are blocked, awaits leave 271, under
// optimal, observers, reads-from and graphs alike.
// columns: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --unroll 2 | 901+374 | 75+284 | 75+271 | 75+271
// paper: 901+374 | 901+374 | 901+374 | 901+374
// check: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --algorithm reads-from
// complete: 75
// blocked: 271
// check: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --algorithm reads-from --loops assume
// complete: 75
// blocked: 284
// check: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --algorithm observers
// complete: 75
// blocked: 271
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

void __VERIFIER_assume(int condition);

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[1 + WRITERS + READERS + BOTH];
static _Atomic(struct node *) head = &nodes[0], tail = &nodes[0];

static void enqueue(struct node *own, int value) {
    own->value = value;
    struct node *last, *next;
    for (;;) {
        last = atomic_load(&tail);
        next = atomic_load(&last->next);
        if (last != atomic_load(&tail))
            continue;
        if (next == NULL && atomic_compare_exchange_strong(&last->next, &next, own))
            break;
        next = atomic_load(&last->next);
        atomic_compare_exchange_strong(&tail, &last, next);
    }
    atomic_compare_exchange_strong(&tail, &last, own);
}

static int dequeue(int *value) {
    for (;;) {
        struct node *first = atomic_load(&head);
        struct node *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (first != atomic_load(&head))
            continue;
        if (first == last) {
            if (next == NULL)
                return 0;
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            *value = next->value;
            __VERIFIER_assume(atomic_compare_exchange_strong(&head, &first, next));
            return 1;
        }
    }
}

static void *writer(void *own) {
    enqueue(own, 42);
    return 0;
}

static void *reader(void *unused) {
    int value;
    dequeue(&value);
    return 0;
}

static void *both(void *own) {
    writer(own);
    return reader(0);
}

// The nodes that threads were given.
static int given;

// No loop, which --unroll would cut.
static void start(int count, void *(*body)(void *)) {
    pthread_t thread;
    if (count == 0)
        return;
    pthread_create(&thread, 0, body, &nodes[++given]);
    start(count - 1, body);
}

int main(void) {
    start(WRITERS, writer);
    start(READERS, reader);
    start(BOTH, both);
    return 0;
}
