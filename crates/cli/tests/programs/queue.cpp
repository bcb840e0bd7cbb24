// C++: a queue of unique pointers with a condition variable, lambdas and a vector of threads.
// check: -std=c++17 --leaks
// verdict: verified
// check: -std=c++17 -DFORGET
// verdict: bug
// bug: deadlock
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

template <typename T> class Queue {
  public:
    void push(T value) {
        std::lock_guard<std::mutex> guard(mutex);
        values.push_back(std::move(value));
#ifndef FORGET
        changed.notify_one();
#endif
    }

    T pop() {
        std::unique_lock<std::mutex> guard(mutex);
        changed.wait(guard, [this] { return !values.empty(); });
        T value = std::move(values.back());
        values.pop_back();
        return value;
    }

  private:
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<T> values;
};

int main() {
    Queue<std::unique_ptr<int>> queue;
    std::vector<std::thread> threads;
    threads.emplace_back([&] { queue.push(std::make_unique<int>(42)); });
    int got = 0;
    threads.emplace_back([&] { got = *queue.pop(); });
    for (auto &thread : threads)
        thread.join();
    assert(got == 42);
    return 0;
}
