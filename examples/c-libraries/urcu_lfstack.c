// A client of the lock-free stack of liburcu: two threads push, and all is there in the end.
// BROKEN pushes with a store in place of the compare-and-swap.
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

static struct __cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];

static void push(struct cds_lfs_node *node) {
    cds_lfs_node_init(node);
#ifdef BROKEN
    node->next = CMM_LOAD_SHARED(stack.head) ? &stack.head->node : 0;
    CMM_STORE_SHARED(stack.head, caa_container_of(node, struct cds_lfs_head, node));
#else
    cds_lfs_push(&stack, node);
#endif
}

static void *thread(void *unused) {
    push(&nodes[0]);
    return 0;
}

int main(void) {
    pthread_t other;
    int found = 0;
    __cds_lfs_init(&stack);
    pthread_create(&other, 0, thread, 0);
    push(&nodes[1]);
    pthread_join(other, 0);
    while (__cds_lfs_pop(&stack) != 0)
        found++;
    assert(found == 2);
    return 0;
}
