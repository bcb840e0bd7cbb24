// A client of boost::lockfree::spsc_queue. BROKEN has two producers, which the queue does not allow: a value is lost, or
// the two of them race.
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

static boost::lockfree::spsc_queue<int, boost::lockfree::capacity<3>> queue;

int main() {
    std::thread producer([] {
        queue.push(1);
#ifndef BROKEN
        queue.push(2);
#endif
    });
#ifdef BROKEN
    std::thread second([] { queue.push(2); });
#endif
    int sum = 0, value;
    for (int tries = 0; tries < 2; tries++)
        if (queue.pop(value))
            sum += value;
    producer.join();
#ifdef BROKEN
    second.join();
#endif
    while (queue.pop(value))
        sum += value;
    assert(sum == 3);
}
