// The queue of Michael and Scott: a list whose tail may lag behind, and is helped on by whoever notices. The counts are
// those of optimal and source alike. The program of FMCAD 2022, Table I, differs in a detail that is not described; there
// no round is seen to do nothing, and the tool that sees it has 75+284.
// columns: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --unroll 1 | 911+406 | 74+285 | 74+272 | 74+272
// paper: 901+374 | 901+374 | 901+374 | 901+374
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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
            int found = next->value;
            if (atomic_compare_exchange_strong(&head, &first, next)) {
                *value = found;
                return 1;
            }
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
