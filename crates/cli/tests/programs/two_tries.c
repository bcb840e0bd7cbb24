// An exchange of what was read fails only if something was written since. That happens once here, so one of two attempts succeeds.
// check:
// verdict: verified
// check: --loops plain
// verdict: verified
// One attempt is not enough.
// check: -DTRIES=1
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef TRIES
#define TRIES 2
#endif

struct node {
    struct node *next;
};
static struct node *_Atomic top;
static struct node nodes[3];

static struct node *pop(void) {
    struct node *old, *next;
    for (int i = 0; i < TRIES; i++) {
        old = top;
        if (!old)
            return NULL;
        next = old->next;
        if (atomic_compare_exchange_strong(&top, &old, next))
            return old;
    }
    return NULL;
}

static void *other(void *unused) {
    pop();
    return unused;
}

int main(void) {
    nodes[0].next = &nodes[1];
    nodes[1].next = &nodes[2];
    top = &nodes[0];
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    assert(pop());
    pthread_join(thread, NULL);
}
