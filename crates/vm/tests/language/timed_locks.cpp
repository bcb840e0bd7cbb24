// Timed and recursive mutexes, waiting with a limit, sleeping, yielding.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

int main() {
    std::timed_mutex timed;
    std::recursive_mutex recursive;
    if (timed.try_lock_for(std::chrono::seconds(1)))
        timed.unlock();
    {
        std::lock_guard<std::recursive_mutex> outer(recursive), inner(recursive);
    }
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::thread thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::lock_guard<std::mutex> guard(mutex);
        done = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait_for(lock, std::chrono::seconds(10), [&] { return done; });
    }
    std::this_thread::yield();
    thread.join();
    std::printf("%d\n", done);
    return 0;
}
