// A client of atomic_queue::AtomicQueue: one thread pushes, main pops. BROKEN relies on what was written before the push as
// well: the pop of this version releases (`exchange(NIL, R)`), and does not acquire, so that is a data race.
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

static atomic_queue::AtomicQueue<int, 2> queue;
static int beside;

int main() {
    std::thread producer([] {
        beside = 5;
        queue.try_push(1);
    });
    int value = 0;
    if (queue.try_pop(value)) {
        assert(value == 1);
#ifdef BROKEN
        assert(beside == 5);
#endif
    }
    producer.join();
}
