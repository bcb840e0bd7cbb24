// As timed_wait_again.c, with what C++ has for it: a loop that waits again whenever the time is up is a loop that waits. There are as
// many executions as of the same program in C, which is one with -DPOSIX.
// check: -std=c++17 -DPOSIX
// verdict: verified
// complete: 4
// check: -std=c++17
// verdict: verified
// complete: 4
// check: -std=c++20
// verdict: verified
// complete: 4
// check: -std=c++17 -DUNTIL
// verdict: verified
// complete: 4
// check: -std=c++17 -DSYSTEM
// verdict: verified
// complete: 4
// check: -std=c++17 -DPREDICATE
// verdict: verified
// complete: 4
// check: -std=c++17 -DSTATUS
// verdict: verified
// complete: 4
// A queue whose function to pop gives up after some time, and a thread that looks again whether it is to stop.
// check: -std=c++17 -DQUEUE
// verdict: verified
// check: -std=c++17 -DWATCH
// verdict: verified
// check: -std=c++17 -DWATCH -DLATE
// verdict: bug
// bug: assertion
// check: -std=c++17 -DNOBODY
// verdict: bug
// bug: livelock
// check: -std=c++17 -DNOBODY -DPREDICATE
// verdict: bug
// bug: livelock
// Whether the time was up is something to be seen.
// check: -std=c++17 -DSTATUS -DLATE
// verdict: bug
// bug: assertion
// check: -std=c++17 -DONCE
// verdict: verified
// check: -std=c++17 -DONCE -DLATE
// verdict: bug
// bug: assertion
// check: -std=c++17 -DDEADLINE
// verdict: bug
// bug: assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <queue>
#include <thread>

using namespace std::chrono_literals;
using std::chrono::steady_clock;

std::mutex mutex;
std::condition_variable changed;
bool ready, stop;
int late;

static void look() {
    std::unique_lock<std::mutex> lock(mutex);
#if defined POSIX
    while (!ready) {
        timespec end;
        clock_gettime(CLOCK_REALTIME, &end);
        end.tv_sec++;
        pthread_cond_timedwait(changed.native_handle(), mutex.native_handle(), &end);
    }
#elif defined UNTIL
    while (!ready)
        changed.wait_until(lock, steady_clock::now() + 1s);
#elif defined SYSTEM
    while (!ready)
        changed.wait_until(lock, std::chrono::system_clock::now() + 1min);
#elif defined PREDICATE
    while (!changed.wait_for(lock, 10ms, [] { return ready; })) {
    }
#elif defined STATUS
    while (!ready) {
        if (changed.wait_for(lock, 1ms) == std::cv_status::timeout) {
#ifdef LATE
            late = 1;
#endif
            continue;
        }
    }
#elif defined ONCE
    auto end = steady_clock::now() + 1ms;
    while (!ready)
        if (changed.wait_until(lock, end) == std::cv_status::timeout)
            break;
    late = !ready;
#ifndef LATE
    late = 0;
#endif
#elif defined DEADLINE
    auto end = steady_clock::now() + 1s;
    while (!ready) {
        if (steady_clock::now() >= end) {
            late = 1;
            break;
        }
        changed.wait_for(lock, 1s);
    }
#elif defined WATCH
    while (!stop) {
        if (changed.wait_for(lock, 50ms, [] { return ready || stop; }))
            ready = false;
#ifdef LATE
        else
            late = 1;
#endif
    }
#else
    while (!ready)
        changed.wait_for(lock, 10ms);
#endif
    assert(late == 0);
}

#ifdef QUEUE
std::queue<int> queue;

static bool pop_for(int &to, std::chrono::milliseconds time) {
    std::unique_lock<std::mutex> lock(mutex);
    if (!changed.wait_for(lock, time, [] { return !queue.empty(); }))
        return false;
    to = queue.front();
    queue.pop();
    return true;
}

static void push(int value) {
    std::lock_guard<std::mutex> lock(mutex);
    queue.push(value);
    changed.notify_one();
}

int main() {
    int sum = 0;
    std::thread other([&] {
        for (int i = 0, value; i < 2;)
            if (pop_for(value, 10ms)) {
                sum += value;
                i++;
            }
    });
    push(1);
    push(2);
    other.join();
    assert(sum == 3);
}
#else
static void set(bool &flag) {
    std::lock_guard<std::mutex> lock(mutex);
    flag = true;
    changed.notify_one();
}

int main() {
    std::thread other(look);
#ifndef NOBODY
    set(ready);
#ifdef WATCH
    set(stop);
#endif
#endif
    other.join();
}
#endif
