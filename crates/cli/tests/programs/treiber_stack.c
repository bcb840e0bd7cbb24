// Treiber's stack: nodes, which are never used again, are pushed and popped by compare-exchanges of the top. Source of
// the counts: FMCAD 2022, Table I.
// columns: -DWRITERS=2 -DREADERS=0 -DBOTH=1 --unroll 3 | 426 | 274+80 | 274+60 | 274+60
// paper: 426 | 274+80 | 274+60 | 274+60
#include <pthread.h>
#include <stdatomic.h>

// A node is called by its index; 0 is none.
static struct {
    int value;
    atomic_int next;
} nodes[1 + WRITERS + READERS + BOTH];

static atomic_int top;

static void push(int own, int value) {
    nodes[own].value = value;
    int old;
    do {
        old = atomic_load(&top);
        atomic_store(&nodes[own].next, old);
    } while (!atomic_compare_exchange_strong(&top, &old, own));
}

static int pop(void) {
    for (;;) {
        int popped = atomic_load(&top);
        if (popped == 0)
            return 0;
        int next = atomic_load(&nodes[popped].next);
        int old = popped;
        if (atomic_compare_exchange_strong(&top, &old, next))
            return nodes[popped].value;
    }
}

static void *writer(void *own) {
    push((int)(long)own, 42);
    return 0;
}

static void *reader(void *unused) {
    pop();
    return 0;
}

static void *both(void *own) {
    writer(own);
    return reader(0);
}

// The nodes that threads were given.
static long given;

// No loop, which --unroll would cut.
static void start(int count, void *(*body)(void *)) {
    pthread_t thread;
    if (count == 0)
        return;
    pthread_create(&thread, 0, body, (void *)++given);
    start(count - 1, body);
}

int main(void) {
    start(WRITERS, writer);
    start(READERS, reader);
    start(BOTH, both);
    return 0;
}
