// std::atomic<std::shared_ptr>: what the library locks inside orders what the standard says, and no more; and it is waited for.
// check: -std=c++20
// verdict: verified
// check: -std=c++20 -DEXCHANGES
// verdict: verified
// check: -std=c++20 -DWEAK
// verdict: verified
// check: -std=c++20 -DWRITES
// verdict: bug
// bug: data-race
// check: -std=c++20 -DLOSES
// verdict: bug
// bug: assertion
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> shared;

static void adds() {
#ifdef LOSES
    shared.store(std::make_shared<int>(*shared.load() + 1));
#else
    auto expected = shared.load();
    auto desired = std::make_shared<int>(*expected + 1);
    while (!shared.compare_exchange_weak(expected, desired))
        desired = std::make_shared<int>(*expected + 1);
#endif
}

int main() {
    shared.store(std::make_shared<int>(1));
#if defined EXCHANGES
    int first = 0, second = 0;
    std::thread one([&] { first = *shared.exchange(std::make_shared<int>(2)); });
    std::thread other([&] { second = *shared.exchange(std::make_shared<int>(3)); });
    one.join();
    other.join();
    int left = *shared.load();
    assert(first + second + left == 6 && (first == 1) != (second == 1));
#elif defined WEAK
    std::atomic<std::weak_ptr<int>> weak;
    std::thread one([&] { weak.store(shared.load()); });
    std::thread other([&] {
        auto found = weak.load().lock();
        assert(!found || *found == 1);
    });
    one.join();
    other.join();
#elif defined WRITES
    std::thread one([] { *shared.load() = 2; });
    std::thread other([] { assert(*shared.load() > 0); });
    one.join();
    other.join();
#else
    std::thread one(adds), other(adds);
    one.join();
    other.join();
    assert(*shared.load() == 3);
#endif
    return 0;
}
