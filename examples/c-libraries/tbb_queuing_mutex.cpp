// A client of oneTBB's queuing_mutex, in which each thread waits at a place of its own. BROKEN: one of them does not take it.
#include <cassert>
#include <oneapi/tbb/queuing_mutex.h>
#include <thread>

static tbb::queuing_mutex mutex;
static int count;

static void add() {
    tbb::queuing_mutex::scoped_lock lock(mutex);
    count++;
}

int main() {
    std::thread other(add);
#ifdef BROKEN
    count++;
#else
    add();
#endif
    other.join();
    assert(count == 2);
}
