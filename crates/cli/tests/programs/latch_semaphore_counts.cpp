// C++20's latches and semaphores: no execution differs from another in who counts down or releases first, in who waits
// already, or in what the library does to wait.
//
// Four threads arrive at a latch and wait for each other.
// check: -std=c++20 -DLATCH
// verdict: verified
// complete: 1
// check: -std=c++20 -DLATCH -O1
// verdict: verified
// complete: 1
// One who does not arrive is waited for, but this is no spinning.
// check: -std=c++20 -DLATCH -DMISSING
// verdict: bug
// bug: deadlock
// Who only counts down sees nothing of what others wrote before they did.
// check: -std=c++20 -DNOT_WAITED --races
// verdict: bug
// bug: data-race
// Two semaphores, by which two threads take turns.
// check: -std=c++20 -DTURNS
// verdict: verified
// complete: 1
// A semaphore as a lock of three threads, which take it in each order.
// check: -std=c++20 -DLOCK
// verdict: verified
// complete: 6
// check: -std=c++20 -DLOCK -DUNITS=2 --races
// verdict: bug
// bug: data-race
// An attempt succeeds or not; what is released at once is there at once.
// check: -std=c++20 -DATTEMPT
// verdict: verified
// complete: 2
// Likewise if it may wait for some time, which may not be long enough.
// check: -std=c++20 -DATTEMPT -DPATIENT
// verdict: verified
// complete: 2
// check: -std=c++20 -DATTEMPT -DPATIENT -DCERTAIN
// verdict: bug
// bug: assertion
#include <cassert>
#include <chrono>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

int data[4];

template <typename F> void in_threads(int count, F f) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; i++)
        threads.emplace_back(f, i);
    for (auto &thread : threads)
        thread.join();
}

int main() {
#if defined LATCH
    std::latch latch(4);
#ifdef MISSING
    constexpr int threads = 3;
#else
    constexpr int threads = 4;
#endif
    in_threads(threads, [&](int i) {
        data[i] = 1;
        latch.arrive_and_wait();
        assert(data[0] + data[1] + data[2] + data[3] == 4);
    });
#elif defined NOT_WAITED
    std::latch latch(2);
    in_threads(2, [&](int i) {
        data[i] = 1;
        latch.count_down();
        assert(data[1 - i] < 2);
    });
#elif defined TURNS
    std::binary_semaphore mine(1), yours(0);
    std::thread other([&] {
        for (int i = 0; i < 3; i++) {
            yours.acquire();
            data[0]++;
            mine.release();
        }
    });
    for (int i = 0; i < 3; i++) {
        mine.acquire();
        data[0]++;
        yours.release();
    }
    other.join();
    assert(data[0] == 6);
#elif defined LOCK
#ifndef UNITS
#define UNITS 1
#endif
    std::counting_semaphore<2> lock(UNITS);
    in_threads(3, [&](int) {
        lock.acquire();
        data[0]++;
        lock.release();
    });
    assert(data[0] == 3);
#elif defined ATTEMPT
    std::counting_semaphore<2> units(0);
    std::thread other([&] {
        data[0] = 1;
        units.release(2);
    });
#ifdef PATIENT
    bool taken = units.try_acquire_until(std::chrono::steady_clock::now() + std::chrono::seconds(1));
#else
    bool taken = units.try_acquire();
#endif
#ifdef CERTAIN
    assert(taken);
#endif
    if (taken)
        assert(data[0] == 1 && units.try_acquire());
    other.join();
#endif
}
