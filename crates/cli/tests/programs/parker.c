// A thread parks until another one has set a condition, and is unparked before and after that: the race of LockSupport.park
// in Java, which needs a weak memory model to show. Their lock is one of two flags; whoever waits in vain, or parks more than
// N times, is assumed away. After the benchmark of that name of DC-DPOR and Nidhugg. Source of the counts: OOPSLA 2019,
// Table 4, where blocked executions are counted as others.
// check: -DN=8 --algorithm optimal --loops plain
// verdict: verified
// ended: 3431
// redundant: 0
// check: -DN=8 --algorithm observers --loops plain
// verdict: verified
// ended: 3171
// check: -DN=8 --algorithm reads-from --loops plain
// verdict: verified
// ended: 3059
// check: -DN=12 --algorithm optimal --loops plain
// verdict: verified
// ended: 10541
// check: -DN=12 --algorithm observers --loops plain
// verdict: verified
// ended: 9759
// check: -DN=12 --algorithm reads-from --loops plain
// verdict: verified
// ended: 9407
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

// Who wants the lock.
static atomic_int wanted_to_park, wanted_to_unpark;
// Whether a permit is there, and whether the parker waits for one.
static atomic_int permit, waits;
// What the parker is waiting for in the end, and that there will be no more permits.
static atomic_int is_over, is_done;

static void lock(atomic_int *own, atomic_int *other) {
    atomic_store(own, 1);
    __VERIFIER_assume(atomic_load(other) == 0);
}

static int try_lock(atomic_int *own, atomic_int *other) {
    atomic_store(own, 1);
    if (atomic_load(other) == 0)
        return 1;
    atomic_store(own, 0);
    return 0;
}

static void wait_for_permit(void) {
    atomic_store(&waits, 1);
    atomic_store(&wanted_to_park, 0);
    // It would wait for ever.
    assert(!atomic_load(&is_done) || atomic_load(&waits) == 0);
    __VERIFIER_assume(atomic_load(&waits) == 0);
    lock(&wanted_to_park, &wanted_to_unpark);
}

static void park(void) {
    if (atomic_load(&permit) > 0) {
        atomic_store(&permit, 0);
        return;
    }
    if (!try_lock(&wanted_to_park, &wanted_to_unpark))
        return;
    if (atomic_load(&permit) <= 0)
        wait_for_permit();
    atomic_store(&permit, 0);
    atomic_store(&wanted_to_park, 0);
}

static void unpark(void) {
    lock(&wanted_to_unpark, &wanted_to_park);
    int before = atomic_load(&permit);
    atomic_store(&permit, 1);
    atomic_store(&wanted_to_unpark, 0);
    if (before < 1)
        atomic_store(&waits, 0);
}

static void *parker(void *unused) {
    for (int rounds = 0; !atomic_load(&is_over); rounds++) {
        __VERIFIER_assume(rounds < N);
        park();
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, parker, 0);
    unpark();
    atomic_store(&is_over, 1);
    unpark();
    atomic_store(&is_done, 1);
    return 0;
}
