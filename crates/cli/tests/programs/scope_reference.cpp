// A reference, a lambda and an element of a container that outlive the variable that they name.
// check: -DLAMBDA
// verdict: bug
// bug: use-after-free
// check: -DCONTAINER
// verdict: bug
// bug: use-after-free
// check: -DROUND
// verdict: bug
// bug: use-after-free
// check: -std=c++17
// verdict: verified
#include <cassert>
#include <functional>
#include <thread>
#include <vector>

int main() {
#ifdef LAMBDA
    std::function<int()> later;
    {
        int x = 1;
        later = [&x] { return x; }; // <- bug
    }
    return later() - 1;
#elif defined(CONTAINER)
    std::vector<int *> all;
    for (int i = 0; i < 2; i++) {
        int x = i;
        all.push_back(&x);
    }
    return *all[0]; // <- bug
#elif defined(ROUND)
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([&i] { assert(i < 2); });
    for (auto &thread : threads)
        thread.join();
#else
    std::vector<std::thread> threads;
    int sum[2] = {};
    for (int i = 0; i < 2; i++)
        threads.emplace_back([i, &sum] { sum[i] = i; });
    for (auto &thread : threads)
        thread.join();
    assert(sum[0] + sum[1] == 1);
#endif
}
