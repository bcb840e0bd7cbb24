// std::jthread asks its thread to stop when it is destroyed. Loops that wait for that do nothing, with or without optimisation, and so
// do those of the library in which threads wait for each other to register callbacks and to call them.
// check: -std=c++20 -DPOLLS
// verdict: verified
// check: -std=c++20 -DPOLLS -O1
// verdict: verified
// check: -std=c++20 -DCALLBACK
// verdict: verified
// check: -std=c++20 -DCALLBACK -O1
// verdict: verified
// check: -std=c++20 -DWAITS
// verdict: verified
// check: -std=c++20 -DWAITS -DTOKEN_IGNORED
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DPOLLS -DEARLY
// verdict: bug
// bug: assertion
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int data;
std::mutex mutex;
std::condition_variable_any condition;
bool ready;

int main() {
#if defined POLLS
    std::jthread thread([](std::stop_token stop) {
        while (!stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        assert(data == 1);
    });
#ifdef EARLY
    thread.request_stop();
#endif
    data = 1;
#elif defined CALLBACK
    std::jthread thread([](std::stop_token stop) {
        std::stop_callback callback(stop, [] { data = 1; });
        while (!stop.stop_requested())
            std::this_thread::yield();
    });
#elif defined WAITS
    std::jthread thread([](std::stop_token stop) {
        std::unique_lock lock(mutex);
#ifdef TOKEN_IGNORED
        condition.wait(lock, [] { return ready; });
#else
        condition.wait(lock, stop, [] { return ready; });
#endif
    });
#endif
}
