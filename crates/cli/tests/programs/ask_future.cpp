// A loop that asks a future whether it is ready is one that waits for it.
// check: -std=c++17
// verdict: verified
// complete: 2
// check: -std=c++17 -DTIME=0
// verdict: verified
// complete: 1
// check: -std=c++17 -DUNTIL
// verdict: verified
// complete: 2
// check: -std=c++17 -DASYNC
// verdict: verified
// complete: 2
// check: -std=c++17 -DSHARED
// verdict: verified
// complete: 2
// check: -std=c++17 -DWAIT
// verdict: verified
// complete: 1
// check: -std=c++17 -DNOBODY
// verdict: bug
// bug: livelock
// check: -std=c++17 -DNOBODY -DWAIT
// verdict: bug
// bug: deadlock
// check: -std=c++17 -DONCE
// verdict: bug
// bug: assertion
// check: -std=c++17 -DCOUNTED
// verdict: bug
// bug: assertion
// What is deferred is not ready before it is asked for.
// check: -std=c++17 -DDEFERRED
// verdict: verified
// complete: 1
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

using std::chrono::milliseconds;

#ifndef TIME
#define TIME 1
#endif

int number;

int main() {
#if defined DEFERRED
    auto it = std::async(std::launch::deferred, [] { return 7; });
    assert(it.wait_for(milliseconds(TIME)) == std::future_status::deferred);
    assert(it.get() == 7);
#else
#ifdef ASYNC
    std::future<int> it = std::async(std::launch::async, [] {
        number = 1;
        return 7;
    });
#else
    std::promise<int> promise;
    std::future<int> it = promise.get_future();
    std::thread other([&] {
        number = 1;
#ifndef NOBODY
        promise.set_value(7);
#endif
    });
#endif
    int late = 0;
#if defined ONCE
    assert(it.wait_for(milliseconds(TIME)) == std::future_status::ready);
#elif defined UNTIL
    while (it.wait_until(std::chrono::steady_clock::now() + milliseconds(TIME)) == std::future_status::timeout) {
    }
#elif defined SHARED
    std::shared_future<int> all = it.share();
    while (all.wait_for(milliseconds(TIME)) != std::future_status::ready)
        std::this_thread::sleep_for(milliseconds(1));
    assert(all.get() == 7);
#elif defined WAIT
    it.wait();
#else
    while (it.wait_for(milliseconds(TIME)) != std::future_status::ready) {
#ifdef COUNTED
        late = 1;
#endif
    }
#endif
    assert(number == 1 && late == 0);
#ifndef SHARED
    assert(it.get() == 7);
#endif
#ifndef ASYNC
    other.join();
#endif
#endif
}
