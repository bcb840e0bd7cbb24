// std::call_once, std::scoped_lock, std::shared_mutex.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::once_flag once;
static std::mutex a, b;
static std::shared_mutex rw;
static int setups, total;

static void work(int n) {
    std::call_once(once, [] { setups++; });
    {
        std::scoped_lock both(a, b);
        total += n;
    }
    std::shared_lock<std::shared_mutex> read(rw);
}

int main() {
    std::thread t(work, 5), u(work, 7);
    t.join();
    u.join();
    std::unique_lock<std::shared_mutex> write(rw);
    std::printf("%d %d\n", setups, total);
    return 0;
}
