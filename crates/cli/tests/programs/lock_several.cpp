// std::scoped_lock takes its mutexes in any order without a deadlock. Complete executions: one for each order of the two
// threads.
// check: -std=c++17
// verdict: verified
// complete: 2
// check: -std=c++17 -DTHREE
// verdict: verified
// complete: 2
// check: -std=c++17 -DLOCKS
// verdict: verified
// complete: 2
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a, b, c;
int count;

int main() {
    std::thread one([] {
#ifdef THREE
        std::scoped_lock lock(a, b, c);
#else
        std::scoped_lock lock(a, b);
#endif
        count++;
    });
    std::thread other([] {
#ifdef THREE
        std::scoped_lock lock(c, b, a);
#elif defined(LOCKS)
        std::unique_lock<std::mutex> first(b, std::defer_lock), second(a, std::defer_lock);
        std::lock(first, second);
        assert(first.owns_lock() && second.owns_lock());
#else
        std::scoped_lock lock(b, a);
#endif
        count++;
    });
    one.join();
    other.join();
    assert(count == 2);
}
