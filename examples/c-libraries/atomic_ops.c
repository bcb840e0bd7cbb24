// A client of libatomic_ops (Debian: libatomic-ops-dev): a spin lock of test-and-set, a counter, and a compare-and-swap.
// BROKEN gives the lock back before the plain counter is changed.
#define AO_REQUIRE_CAS
#include <assert.h>
#include <atomic_ops.h>
#include <pthread.h>

static AO_TS_t lock = AO_TS_INITIALIZER;
static volatile AO_t counted, swapped;
static int plain;

static void *thread(void *unused) {
    while (AO_test_and_set_acquire(&lock) == AO_TS_SET)
        ;
#ifdef BROKEN
    AO_CLEAR(&lock);
    plain++;
#else
    plain++;
    AO_CLEAR(&lock);
#endif
    AO_fetch_and_add1(&counted);
    AO_t before;
    do
        before = AO_load(&swapped);
    while (!AO_compare_and_swap_full(&swapped, before, before + 2));
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
    thread(0);
    pthread_join(other, 0);
    assert(plain == 2 && AO_load(&counted) == 2 && AO_load(&swapped) == 4);
    return 0;
}
