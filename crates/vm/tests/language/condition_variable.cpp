// A queue with std::mutex and std::condition_variable between threads.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

template <typename T> class Queue {
    std::mutex mutex_;
    std::condition_variable not_empty_;
    std::vector<T> items_;
    std::size_t next_ = 0;
    bool closed_ = false;

public:
    void push(T t) {
        std::lock_guard<std::mutex> lock(mutex_);
        items_.push_back(t);
        not_empty_.notify_one();
    }
    void close() {
        std::unique_lock<std::mutex> lock(mutex_);
        closed_ = true;
        not_empty_.notify_all();
    }
    bool pop(T &t) {
        std::unique_lock<std::mutex> lock(mutex_);
        not_empty_.wait(lock, [this] { return next_ < items_.size() || closed_; });
        if (next_ == items_.size()) return false;
        t = items_[next_++];
        return true;
    }
};

int main() {
    Queue<int> queue;
    int sum = 0;
    std::thread consumer([&] {
        for (int n; queue.pop(n);) {
            std::printf("%d\n", n);
            sum += n;
        }
    });
    for (int i = 1; i <= 5; i++) queue.push(i * 11);
    queue.close();
    consumer.join();
    std::printf("%d\n", sum);
    return 0;
}
