// A bounded queue for many writers and readers: both take their places in one word, and wait until those who hold the
// same slot have left it. Source of the counts: FMCAD 2022, Table I; unlike its tool, ours waits for bits of a word,
// so that less blocks, with optimal and source alike.
// columns: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --unroll 3 | 11206+8188 | 166+840 | 166+247 | 76+175
// paper: 11206+8188 | 166+840 | 166+517 | 76+421
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 4

// How many slots were taken for reading (in the upper half) and for writing.
static atomic_uint taken;
// How many were read and written.
static atomic_uint read, written;
static int slot[SLOTS];

static int *begin_read(void) {
    unsigned now = atomic_load(&taken), reads, writes;
    do {
        reads = now >> 16;
        writes = now & 0xffff;
        if (reads == writes)
            return NULL;
    } while (!atomic_compare_exchange_strong(&taken, &now, now + (1 << 16)));
    while ((atomic_load(&written) & 0xffff) != writes)
        ;
    return &slot[reads % SLOTS];
}

static void end_read(void) {
    atomic_fetch_add(&read, 1);
}

static int *begin_write(void) {
    unsigned now = atomic_load(&taken), reads, writes;
    do {
        reads = now >> 16;
        writes = now & 0xffff;
        if (writes == ((reads + SLOTS) & 0xffff))
            return NULL;
    } while (!atomic_compare_exchange_strong(&taken, &now, reads << 16 | ((writes + 1) & 0xffff)));
    while ((atomic_load(&read) & 0xffff) != reads)
        ;
    return &slot[writes % SLOTS];
}

static void end_write(void) {
    atomic_fetch_add(&written, 1);
}

static void *writer(void *unused) {
    int *place = begin_write();
    *place = 1;
    end_write();
    return 0;
}

static void *reader(void *unused) {
    int *place;
    while ((place = begin_read())) {
        (void)*(volatile int *)place;
        end_read();
    }
    return 0;
}

static void *both(void *unused) {
    writer(0);
    return reader(0);
}

// No loop, which --unroll would cut.
static void start(int count, void *(*body)(void *)) {
    pthread_t thread;
    if (count == 0)
        return;
    pthread_create(&thread, 0, body, 0);
    start(count - 1, body);
}

int main(void) {
    writer(0);
    start(WRITERS, writer);
    start(READERS, reader);
    start(BOTH, both);
    return 0;
}
