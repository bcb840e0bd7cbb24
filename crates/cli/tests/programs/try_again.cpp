// Loops of C++ that try again whenever the time is up: they are loops that wait.
// check: -std=c++20
// verdict: verified
// complete: 2
// check: -std=c++20 -DUNTIL
// verdict: verified
// complete: 2
// check: -std=c++20 -DUNIQUE
// verdict: verified
// complete: 2
// check: -std=c++20 -DMUTEX=std::shared_timed_mutex
// verdict: verified
// complete: 2
// check: -std=c++20 -DMUTEX=std::recursive_timed_mutex
// verdict: verified
// complete: 2
// check: -std=c++20 -DSHARED -DMUTEX=std::shared_timed_mutex
// verdict: verified
// complete: 2
// check: -std=c++20 -DCOUNTED
// verdict: bug
// bug: assertion
// check: -std=c++20 -DSEMAPHORE
// verdict: verified
// complete: 1
// check: -std=c++20 -DSEMAPHORE -DUNTIL
// verdict: verified
// complete: 1
// check: -std=c++20 -DSEMAPHORE -DNOBODY
// verdict: bug
// bug: livelock
// check: -std=c++20 -DSEMAPHORE -DCOUNTED
// verdict: bug
// bug: assertion
// It has lasted as long as it was to.
// check: -std=c++20 -DSEMAPHORE -DDEADLINE
// verdict: verified
// check: -std=c++20 -DSEMAPHORE -DDEADLINE -DCERTAIN
// verdict: bug
// bug: assertion
#include <cassert>
#include <chrono>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::steady_clock;

#ifndef MUTEX
#define MUTEX std::timed_mutex
#endif

MUTEX mutex;
std::counting_semaphore<3> units(0);
int number, late;

#ifdef SEMAPHORE
static void take() {
#if defined DEADLINE
    auto end = steady_clock::now() + 10ms;
    bool has_it = false;
    while (!has_it && steady_clock::now() < end)
        has_it = units.try_acquire_for(10ms);
#ifdef CERTAIN
    assert(has_it);
#endif
    if (!has_it)
        return;
#elif defined UNTIL
    while (!units.try_acquire_until(steady_clock::now() + 1ms)) {
    }
#else
    while (!units.try_acquire_for(1ms)) {
#ifdef COUNTED
        late++;
#endif
    }
#endif
    assert(number == 1 && late == 0);
}

int main() {
    std::thread other(take);
    number = 1;
#ifndef NOBODY
    units.release();
#endif
    other.join();
}
#else
static void add() {
#if defined UNIQUE
    for (;;) {
        std::unique_lock<MUTEX> lock(mutex, 1ms);
        if (lock) {
            number++;
            break;
        }
    }
#elif defined UNTIL
    while (!mutex.try_lock_until(std::chrono::system_clock::now() + 1ms))
        std::this_thread::yield();
    number++;
    mutex.unlock();
#else
    while (!mutex.try_lock_for(1ms)) {
#ifdef COUNTED
        late = 1;
#endif
    }
    number++;
    mutex.unlock();
#endif
}

static void look() {
#ifdef SHARED
    while (!mutex.try_lock_shared_for(1ms)) {
    }
    assert(number == 0 || number == 1);
    mutex.unlock_shared();
#else
    add();
#endif
}

int main() {
    std::thread other(add);
    look();
    other.join();
#ifndef SHARED
    assert(number == 2);
#endif
    assert(late == 0);
}
#endif
