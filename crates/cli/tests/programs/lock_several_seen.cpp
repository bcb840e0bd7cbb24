// Another thread sees by try_lock that std::lock holds the second mutex without the first: it starts again with the one that
// it could not lock, which is what it holds while the other thread has the first one. Were it always to lock the first one
// first, the second would be held only together with the first.
// check: -std=c++17
// verdict: bug
// bug: assertion
#include <cassert>
#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
    std::thread both([] {
        std::lock(a, b);
        b.unlock();
        a.unlock();
    });
    std::thread other([] {
        // While this holds the second one, std::lock finds it locked, and goes on to wait for it.
        b.lock();
        b.unlock();
        if (a.try_lock()) {
            assert(b.try_lock()); // <- bug
            b.unlock();
            a.unlock();
        }
    });
    both.join();
    other.join();
}
