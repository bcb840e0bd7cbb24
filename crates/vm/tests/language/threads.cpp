// std::thread with arguments, std::mutex with its guards, atomics, thread_local.
#include <atomic>
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

static std::mutex mutex;
static int guarded = 0;
static std::atomic<int> counter{0};
static thread_local int own = 5;

static void work(int from, int to, long &sum) {
    for (int i = from; i < to; i++) {
        sum += i;
        counter++;
        own++;
    }
    std::lock_guard<std::mutex> lock(mutex);
    guarded += own;
}

int main() {
    long sums[2] = {0, 0};
    std::vector<std::thread> threads;
    threads.emplace_back(work, 0, 10, std::ref(sums[0]));
    threads.emplace_back([&sums] { work(10, 20, sums[1]); });
    for (auto &t : threads) t.join();
    std::printf("%ld %ld %d %d %d\n", sums[0], sums[1], counter.load(), guarded, own);
    std::thread t, u([] { counter = -1; });
    t = std::move(u);
    std::printf("%d %d\n", t.joinable(), u.joinable());
    t.join();
    std::printf("%d\n", counter.load());
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    std::printf("%d ", lock.owns_lock());
    lock.lock();
    std::printf("%d ", lock.owns_lock());
    lock.unlock();
    std::printf("%d\n", lock.try_lock());
    std::recursive_mutex again;
    std::lock_guard<std::recursive_mutex> outer(again), inner(again);
    std::printf("done\n");
    return 0;
}
