// std::atomic of numbers, pointers, bools and structs, by one thread.
#include <atomic>
#include <cstdio>

struct alignas(8) Pair { int a, b; };

int main() {
    std::atomic<int> n{5};
    n.store(10, std::memory_order_release);
    int old = n.fetch_add(3), now = n.load(std::memory_order_acquire);
    std::printf("%d %d\n", old, now);
    n++, ++n, n -= 4, n |= 16;
    std::printf("%d\n", n.load());
    int expected = 1;
    bool failed = n.compare_exchange_strong(expected, 2), done = n.compare_exchange_strong(expected, 2);
    std::printf("%d %d %d %d\n", failed, done, expected, n.load());
    std::printf("%d %d\n", n.exchange(77), static_cast<int>(n));
    std::atomic<bool> flag{false};
    std::printf("%d %d\n", flag.exchange(true), flag.load());
    int cells[3] = {1, 2, 3};
    std::atomic<int *> p{cells};
    ++p;
    int *before = p.fetch_add(1);
    std::printf("%d %d\n", *before, *p.load());
    std::atomic<Pair> pair{Pair{1, 2}};
    Pair swapped = pair.exchange({3, 4}), got = pair.load();
    std::printf("%d %d %d\n", swapped.b, got.a, got.b);
    std::atomic_flag once = ATOMIC_FLAG_INIT;
    bool first = once.test_and_set(), second = once.test_and_set();
    once.clear();
    std::printf("%d %d %d\n", first, second, once.test_and_set());
    std::atomic<unsigned char> small{255};
    small++;
    std::atomic<long long> big{1LL << 40};
    big ^= 1;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    std::printf("%d %lld\n", small.load(), big.load());
    return 0;
}
