// C++: threads, a mutex, an atomic. Two orders of the increments, times two of the critical sections. Nobody looks at the
// results of the increments: if they commute, two are left.
// check: -std=c++17 --commuting-adds off
// verdict: verified
// complete: 4
// check: -std=c++17
// verdict: verified
// complete: 2
// check: -std=c++17 -DBROKEN
// verdict: bug
// bug: assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;
std::atomic<int> started;

static void increment() {
    started++;
#ifndef BROKEN
    std::lock_guard<std::mutex> guard(mutex);
#endif
    counter++;
}

int main() {
    std::thread first(increment), second(increment);
    first.join();
    second.join();
    assert(counter == 2); // <- bug
    return 0;
}
