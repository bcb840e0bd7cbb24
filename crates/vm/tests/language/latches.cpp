// std::jthread, std::latch, std::counting_semaphore, std::atomic::wait, where the library has them (C++20).
#include <atomic>
#include <cstdio>
#include <thread>
#if __has_include(<latch>) && __cplusplus > 201703L
#include <latch>
#include <semaphore>

int main() {
    std::counting_semaphore<4> semaphore(0);
    std::latch latch(1);
    std::atomic<int> flag{0};
    {
        std::jthread thread([&] {
            latch.count_down();
            semaphore.release();
            flag.store(1);
            flag.notify_one();
        });
        latch.wait();
        semaphore.acquire();
        flag.wait(0);
    }
    std::puts("done");
    return 0;
}
#else
int main() {
    std::puts("done");
    return 0;
}
#endif
