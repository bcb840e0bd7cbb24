// Atomic accesses to more than 8 bytes are explored as sequentially consistent ones. If they are weaker, the verdict is about less than the
// program allows: below, that the data is not seen, and that both threads find the other's object as it was.
// check: -std=c++17 -DSIZE=2
// verdict: incomplete
// check: -std=c++17 -DSIZE=3
// verdict: incomplete
// check: -std=c++17 -DSIZE=2 -DBUFFERING
// verdict: incomplete
// check: -std=c++17 -DSIZE=3 -DBUFFERING
// verdict: incomplete
// check: -std=c++17 -DSIZE=3 -DBUFFERING -DEXCHANGE
// verdict: incomplete
//
// As sequentially consistent ones they are what they are taken for; and so they are among interleavings, and before there are threads.
// check: -std=c++17 -DSIZE=2 -DORDER=std::memory_order_seq_cst
// verdict: verified
// check: -std=c++17 -DSIZE=3 -DORDER=std::memory_order_seq_cst
// verdict: verified
// check: -std=c++17 -DSIZE=3 -DBUFFERING -DORDER=std::memory_order_seq_cst
// verdict: verified
// check: -std=c++17 -DSIZE=2 --memory-model sc
// verdict: verified
// check: -std=c++17 -DSIZE=3 -DALONE
// verdict: verified
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#ifndef ORDER
#define ORDER std::memory_order_relaxed
#endif

struct alignas(SIZE == 2 ? 16 : 8) Value {
    int64_t of[SIZE];
};

std::atomic<Value> one, two;
int data;

void set(std::atomic<Value> &at) {
    Value now{};
    now.of[0] = 1;
#ifdef EXCHANGE
    Value old = at.load(ORDER);
    at.compare_exchange_strong(old, now, ORDER);
#else
    at.store(now, ORDER);
#endif
}

bool is_set(std::atomic<Value> &at) { return at.load(ORDER).of[0] == 1; }

int main() {
#if defined BUFFERING
    bool seen = false;
    std::thread other([&] {
        set(two);
        seen = is_set(one);
    });
    set(one);
    bool found = is_set(two);
    other.join();
    assert(seen || found);
#elif defined ALONE
    set(one);
    std::thread other([] { data = 1; });
    other.join();
    assert(data == 1);
#else
    std::thread other([] {
        data = 1;
        set(one);
    });
    if (is_set(one))
        assert(data == 1);
    other.join();
#endif
}
