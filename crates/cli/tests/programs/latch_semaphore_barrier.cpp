// C++20's latch, semaphore and barrier: whoever waits comes back, and what was written before is seen.
// check: -std=c++20 -DLATCH
// verdict: verified
// check: -std=c++20 -DLATCH -DMISSING
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DSEMAPHORE
// verdict: verified
// check: -std=c++20 -DSEMAPHORE -DMISSING
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DBARRIER
// verdict: verified
// check: -std=c++20 -DBARRIER -DMISSING
// verdict: bug
// bug: deadlock
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

int data;

#if defined LATCH
std::latch latch(1);
static void write() { data = 1; }
static void tell() { latch.count_down(); }
static void wait() { latch.wait(); }
#elif defined SEMAPHORE
std::binary_semaphore semaphore(0);
static void write() { data = 1; }
static void tell() { semaphore.release(); }
static void wait() { semaphore.acquire(); }
#else
std::barrier barrier(2);
static void write() { data = 1; }
static void tell() { barrier.arrive_and_wait(); }
static void wait() { barrier.arrive_and_wait(); }
#endif

int main() {
    std::thread thread([] {
        write();
#ifndef MISSING
        tell();
#endif
    });
    wait();
    assert(data == 1);
    thread.join();
}
