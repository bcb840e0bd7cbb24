// A client of the wait-free queue of liburcu: two threads enqueue, one of them dequeues, and nothing is lost. BROKEN enqueues with a
// store in place of the exchange.
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

struct item {
    struct cds_wfcq_node node;
    int value;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[3];

static void enqueue(int index) {
    items[index].value = index + 1;
    cds_wfcq_node_init(&items[index].node);
#ifdef BROKEN
    struct cds_wfcq_node *last = CMM_LOAD_SHARED(tail.p);
    CMM_STORE_SHARED(tail.p, &items[index].node);
    CMM_STORE_SHARED(last->next, &items[index].node);
#else
    cds_wfcq_enqueue(&head, &tail, &items[index].node);
#endif
}

static int take(void) {
    struct cds_wfcq_node *node = cds_wfcq_dequeue_blocking(&head, &tail);
    return node == 0 ? 0 : caa_container_of(node, struct item, node)->value;
}

static void *thread(void *unused) {
    enqueue(0);
    enqueue(1);
    return unused;
}

int main(void) {
    pthread_t other;
    cds_wfcq_init(&head, &tail);
    pthread_create(&other, 0, thread, 0);
    enqueue(2);
    int sum = take();
    pthread_join(other, 0);
    for (int value = take(); value != 0; value = take())
        sum += value;
    assert(sum == 6);
}
