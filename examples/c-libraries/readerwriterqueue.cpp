// cameron314's queue for one producer and one consumer (Debian: libreaderwriterqueue-dev): all items come out, in order.
// -DBROKEN: there are two producers.
#include <cassert>
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

static void order() {
    moodycamel::ReaderWriterQueue<int, 2> queue(1);
    std::thread producer([&] {
        for (int i = 1; i <= 3; i++)
            queue.enqueue(i);
    });
#ifdef BROKEN
    queue.enqueue(4);
#endif
    int next = 1, item;
    for (int tries = 0; tries < 3; tries++)
        if (queue.try_dequeue(item))
            assert(item == next++);
    producer.join();
    while (queue.try_dequeue(item))
        assert(item == next++);
    assert(next == 4);
}

static void blocking() {
    moodycamel::BlockingReaderWriterQueue<int> queue(1);
    std::thread producer([&] {
        queue.enqueue(1);
        queue.enqueue(2);
    });
    int item;
    queue.wait_dequeue(item);
    assert(item == 1);
    queue.wait_dequeue(item);
    assert(item == 2);
    producer.join();
}

int main() {
    order();
    blocking();
}
