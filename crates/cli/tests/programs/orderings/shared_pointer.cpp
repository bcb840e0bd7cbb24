// Counters of `std::shared_ptr` under weak orderings: whoever comes last destroys the object, once, and after all others have read it.
// check: -std=c++17
// verdict: verified
// check: -std=c++17 -O1
// verdict: verified
// check: -std=c++17 -DGONE
// verdict: bug
// bug: assertion
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

std::atomic<int> destroyed;

struct Object {
    int value = 3;
    ~Object() { destroyed.fetch_add(1, std::memory_order_relaxed); }
};

int main() {
    {
        auto pointer = std::make_shared<Object>();
        std::weak_ptr<Object> weak = pointer;
        std::thread owner([pointer] { assert(pointer->value == 3); });
        pointer.reset();
        auto locked = weak.lock();
#ifdef GONE
        assert(locked);
#else
        assert(!locked || locked->value == 3);
#endif
        owner.join();
    }
    assert(destroyed.load(std::memory_order_relaxed) == 1);
}
