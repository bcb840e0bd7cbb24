// The last one to arrive at a latch wakes whoever waits there, under weak orderings, too: the wait comes back in every execution.
// check: -std=c++20
// verdict: verified
// check: -std=c++20 -O1
// verdict: verified
// check: -std=c++20 -DMISSING
// verdict: bug
// bug: deadlock
#include <cassert>
#include <latch>
#include <thread>

std::latch latch(2);
int data[2];

int main() {
    std::thread first([] {
        data[0] = 1;
        latch.count_down();
    });
    std::thread second([] {
        data[1] = 1;
#ifndef MISSING
        latch.count_down();
#endif
    });
    latch.wait();
    assert(data[0] + data[1] == 2);
    first.join();
    second.join();
}
