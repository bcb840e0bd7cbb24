// A client of ck_ring (Concurrency Kit): one producer, one consumer; every value comes out once and in order.
// BROKEN enqueues without the barrier of the library: the consumer sees the slot before the value.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

#define SIZE 4
#define VALUES 2

static ck_ring_t ring;
static ck_ring_buffer_t buffer[SIZE];
static int values[VALUES] = {1, 2};

static void *produce(void *unused) {
    for (int i = 0; i < VALUES; i++) {
#ifdef BROKEN
        unsigned int tail = ring.p_tail;
        ck_pr_store_uint(&ring.p_tail, tail + 1);
        buffer[tail & ring.mask].value = &values[i];
#else
        ck_ring_enqueue_spsc(&ring, buffer, &values[i]);
#endif
    }
    return 0;
}

int main(void) {
    pthread_t producer;
    void *entry;
    int expected = 0;
    ck_ring_init(&ring, SIZE);
    pthread_create(&producer, 0, produce, 0);
    for (int tries = 0; tries < VALUES; tries++)
        if (ck_ring_dequeue_spsc(&ring, buffer, &entry))
            assert(entry == &values[expected++]);
    pthread_join(producer, 0);
    while (ck_ring_dequeue_spsc(&ring, buffer, &entry))
        assert(entry == &values[expected++]);
    assert(expected == VALUES);
    return 0;
}
