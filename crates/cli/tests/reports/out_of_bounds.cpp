// Whether there is room is checked before the place is taken.
// check: --memory-model=sc
#include <atomic>
#include <thread>
#include <vector>

struct Log {
    std::vector<int> entries = std::vector<int>(3);
    std::atomic<unsigned> used{0};
    void add(int value) {
        if (used < entries.size())
            entries[used++] = value;
    }
};

int main() {
    Log log;
    log.add(1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back([&log, i] { log.add(i); });
    for (auto &thread : threads)
        thread.join();
}
