// cameron314's queue for many producers and consumers (Debian: libconcurrentqueue-dev): what two threads put in comes out, once, and those
// who wait for it are woken.
// -DBROKEN: two threads share a token, which belongs to one producer.
#include <cassert>
#include <concurrentqueue/blockingconcurrentqueue.h>
#include <concurrentqueue/concurrentqueue.h>
#include <thread>

// Those who wait look once before they sleep; by default they do so 10,000 times.
struct Traits : moodycamel::ConcurrentQueueDefaultTraits {
    static const int MAX_SEMA_SPINS = 1;
};

static void blocking() {
    moodycamel::BlockingConcurrentQueue<int, Traits> queue;
    std::thread producer([&] { queue.enqueue(1); });
    int item;
    queue.wait_dequeue(item);
    assert(item == 1);
    producer.join();
}

static void two_producers() {
    moodycamel::ConcurrentQueue<int> queue;
    moodycamel::ProducerToken mine(queue), yours(queue);
    auto produce = [&](moodycamel::ProducerToken &token, int item) { queue.enqueue(token, item); };
#ifdef BROKEN
    std::thread producer([&] { produce(mine, 1); });
#else
    std::thread producer([&] { produce(yours, 1); });
#endif
    produce(mine, 2);
    producer.join();
    int first = 0, second = 0;
    assert(queue.try_dequeue(first) && queue.try_dequeue(second));
    assert(first + second == 3);
}

int main() {
    two_producers();
    blocking();
}
