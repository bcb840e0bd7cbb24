// Waits that may give up. No time passes, but one that has given up has lasted as long as it was to: who asks the clock then
// sees that it is late.
//
// The other thread comes before the look; or else the wait gives up before it comes, and the lock is taken before
// it or after it, or the wait is notified.
// check: -std=c++17
// verdict: verified
// complete: 4
// check: -std=c++17 -DSYSTEM
// verdict: verified
// complete: 4
// check: -std=c++17 -DCERTAIN
// verdict: bug
// bug: assertion
// check: -std=c++17 -DLOOP
// verdict: verified
// complete: 4
// check: -std=c++17 -DPOSIX
// verdict: verified
// complete: 4
// A semaphore and a mutex.
// check: -std=c++17 -DOTHERS
// verdict: verified
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <semaphore.h>
#include <thread>

using namespace std::chrono_literals;

std::mutex mutex;
std::condition_variable changed;
bool ready;

static void tell() {
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    changed.notify_one();
}

static bool is_early(const timespec &now, const timespec &end) {
    return now.tv_sec != end.tv_sec ? now.tv_sec < end.tv_sec : now.tv_nsec < end.tv_nsec;
}

#ifdef OTHERS
int main() {
    std::timed_mutex lock;
    sem_t units;
    sem_init(&units, 0, 0);
    std::thread other([&] {
        timespec end, now;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec += 2;
        int result = sem_timedwait(&units, &end);
        clock_gettime(CLOCK_REALTIME, &now);
        assert(result == 0 || (!is_early(now, end) && time(0) == end.tv_sec));
    });
    auto end = std::chrono::steady_clock::now() + 1s;
    if (lock.try_lock_until(end))
        lock.unlock();
    else
        assert(std::chrono::steady_clock::now() >= end);
    sem_post(&units);
    other.join();
}
#else
int main() {
    std::thread other(tell);
    {
        std::unique_lock<std::mutex> lock(mutex);
#if defined LOOP
        auto end = std::chrono::steady_clock::now() + 5ms;
        while (!ready && std::chrono::steady_clock::now() < end)
            changed.wait_until(lock, end);
#elif defined POSIX
        timespec end, now;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_nsec += 5000000;
        do {
            if (ready)
                break;
            pthread_cond_timedwait(changed.native_handle(), mutex.native_handle(), &end);
            clock_gettime(CLOCK_REALTIME, &now);
        } while (is_early(now, end));
#elif defined SYSTEM
        bool is_ready = changed.wait_until(lock, std::chrono::system_clock::now() + 1s, [] { return ready; });
        assert(is_ready == ready);
#else
        bool is_ready = changed.wait_for(lock, 10ms, [] { return ready; });
        assert(is_ready == ready);
#ifdef CERTAIN
        assert(is_ready);
#endif
#endif
    }
    other.join();
}
#endif
