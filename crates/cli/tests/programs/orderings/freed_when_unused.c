// A reader says what it looks at, and makes sure that it is still there. What has been replaced is given back when no reader looks at it.
// Store buffers keep what the reader has done before it says that it is done; the language does not.
// check: --volatile atomic --memory-model tso --races off
// verdict: verified
// check: --volatile atomic --memory-model tso --races off -DREADER_FENCE=(void)0
// verdict: bug
// bug: use-after-free
// check: --volatile atomic --memory-model tso --races off -DWRITER_FENCE=(void)0
// verdict: bug
// bug: use-after-free
// check: --volatile atomic --memory-model rc11 --races off
// verdict: bug
// bug: use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef READER_FENCE
#define READER_FENCE atomic_thread_fence(memory_order_seq_cst)
#endif
#ifndef WRITER_FENCE
#define WRITER_FENCE atomic_thread_fence(memory_order_seq_cst)
#endif

static int *volatile shared, *volatile hazard;

static int *make(int value) {
    int *made = malloc(sizeof *made);
    *made = value;
    return made;
}

static void *look(void *unused) {
    int *item = shared;
    hazard = item;
    READER_FENCE;
    if (shared == item)
        assert(*item == 1 || *item == 2);
    hazard = 0;
    return unused;
}

int main(void) {
    pthread_t reader;
    shared = make(1);
    pthread_create(&reader, 0, look, 0);
    int *old = shared;
    shared = make(2);
    WRITER_FENCE;
    while (hazard == old)
        ;
    free(old);
    pthread_join(reader, 0);
    free(shared);
}
