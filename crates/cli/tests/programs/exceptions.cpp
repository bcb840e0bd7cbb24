// Exceptions between threads: locks are unlocked on the way, a promise hands an exception over, and one that nothing
// catches ends the program.
// check: -std=c++17
// verdict: verified
// check: -std=c++17 -DUNCAUGHT
// verdict: bug
// bug: abort
// message: not caught: std::runtime_error
// check: -std=c++17 -DPROMISE
// verdict: verified
// check: -std=c++17 -DASYNC
// verdict: verified
// check: -std=c++17 -DBROKEN
// verdict: verified
// check: -std=c++17 -DKEEPS_LOCK
// verdict: bug
// bug: deadlock
#include <cassert>
#include <cstring>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex mutex;
int balance = 1;

static void withdraw() {
#ifdef KEEPS_LOCK
    mutex.lock();
    if (balance == 0)
        throw std::runtime_error("empty");
    balance--;
    mutex.unlock();
#else
    std::lock_guard<std::mutex> lock(mutex);
    if (balance == 0)
        throw std::runtime_error("empty");
    balance--;
#endif
}

static bool tries() {
#ifdef UNCAUGHT
    withdraw();
    return true;
#else
    try {
        withdraw();
        return true;
    } catch (const std::exception &error) {
        assert(std::strcmp(error.what(), "empty") == 0);
        return false;
    }
#endif
}

int main() {
#if defined PROMISE
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] {
        try {
            balance = 0;
            withdraw();
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    });
    bool caught = false;
    try {
        future.get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    thread.join();
    assert(caught);
#elif defined ASYNC
    std::future<int> future = std::async(std::launch::async, [] {
        withdraw();
        withdraw();
        return 1;
    });
    bool caught = false;
    try {
        future.get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    assert(caught);
#elif defined BROKEN
    std::future<int> future;
    std::thread thread([&future] {
        std::promise<int> promise;
        future = promise.get_future();
    });
    thread.join();
    bool caught = false;
    try {
        future.get();
    } catch (const std::future_error &) {
        caught = true;
    }
    assert(caught);
#else
    bool first = false;
    std::thread thread([&first] { first = tries(); });
    bool second = tries();
    thread.join();
    assert(first != second);
    std::lock_guard<std::mutex> lock(mutex);
#endif
}
