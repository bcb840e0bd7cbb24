// A consumer polls a queue under a lock guard: rounds that find it empty do nothing. Complete executions: the first value is
// taken before the second one is there, or after.
// check:
// verdict: verified
// complete: 2
#include <cassert>
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::queue<int> values;

int main() {
    std::thread producer([] {
        for (int i = 0; i < 2; i++) {
            std::lock_guard<std::mutex> guard(mutex);
            values.push(i);
        }
    });
    for (int taken = 0; taken < 2;) {
        std::lock_guard<std::mutex> guard(mutex);
        if (!values.empty()) {
            assert(values.front() == taken);
            values.pop();
            taken++;
        }
    }
    producer.join();
}
