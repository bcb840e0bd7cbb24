// DPDK's ring (Debian: libdpdk-dev) with one producer and one consumer, with C11's orderings rather than x86's: all items come out, in order.
// -DBROKEN: there are two producers.
#define RTE_USE_C11_MEM_MODEL
#include <assert.h>
#include <pthread.h>
#include <rte_ring.h>
#include <stdlib.h>
#include <string.h>

static struct rte_ring *ring;

static void *produce(void *unused) {
    for (long i = 1; i <= 2; i++)
        rte_ring_sp_enqueue(ring, (void *)i);
    return unused;
}

int main(void) {
    const unsigned size = 4;
    ring = aligned_alloc(RTE_CACHE_LINE_SIZE, sizeof *ring + size * sizeof(void *));
    memset(ring, 0, sizeof *ring);
    ring->size = size;
    ring->mask = size - 1;
    ring->capacity = size - 1;
    ring->prod.sync_type = RTE_RING_SYNC_ST;
    ring->cons.sync_type = RTE_RING_SYNC_ST;
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
#ifdef BROKEN
    rte_ring_sp_enqueue(ring, (void *)3L);
#endif
    void *item;
    long next = 1;
    for (int tries = 0; tries < 3; tries++)
        if (rte_ring_sc_dequeue(ring, &item) == 0)
            assert((long)item == next++);
    pthread_join(producer, 0);
    while (rte_ring_sc_dequeue(ring, &item) == 0)
        assert((long)item == next++);
    assert(next == 3);
    free(ring);
}
