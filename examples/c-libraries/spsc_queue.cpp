// A client of rigtorp::SPSCQueue: one producer, one consumer; every value comes out once and in order. The queue holds
// fewer values than there are. BROKEN has two producers.
#include <cassert>
#include <rigtorp/SPSCQueue.h>
#include <thread>

int main() {
    rigtorp::SPSCQueue<int> queue(1);
    std::thread producer([&] {
        queue.push(1);
        queue.push(2);
    });
#ifdef BROKEN
    std::thread another([&] { queue.push(3); });
#endif
    for (int expected = 1; expected <= 2; expected++) {
        while (!queue.front())
            ;
        assert(*queue.front() == expected);
        queue.pop();
    }
    producer.join();
#ifdef BROKEN
    another.join();
#endif
    return 0;
}
