// std::promise, std::future, std::async, std::packaged_task.
#include <cstdio>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&promise] { promise.set_value(4); });
    std::printf("%d\n", future.get());
    thread.join();
    std::future<long> later = std::async(std::launch::async, [](int x) { return x * 2L; }, 21);
    std::printf("%ld\n", later.get());
    std::future<int> lazy = std::async(std::launch::deferred, [] { return 5; });
    std::printf("%d\n", lazy.get());
    std::packaged_task<int(int, int)> task([](int a, int b) { return a + b; });
    std::future<int> sum = task.get_future();
    std::thread adder(std::move(task), 1, 2);
    std::printf("%d\n", sum.get());
    adder.join();
    return 0;
}
