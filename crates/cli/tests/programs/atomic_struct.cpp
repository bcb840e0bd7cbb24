// Atomic accesses to structures of more than 8 bytes are seen whole.
// check: -std=c++17
// verdict: verified
// check: -std=c++17 -DAPART --races
// verdict: bug
// bug: data-race
// check: -std=c++17 --memory-model rc11
// verdict: verified
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
    long first, second;
};

#ifdef APART
Pair pair;
static Pair load() { return pair; }
static void store(Pair value) { pair = value; }
#else
std::atomic<Pair> pair;
static Pair load() { return pair.load(); }
static void store(Pair value) { pair.store(value); }
#endif

int main() {
    std::thread writer([] { store(Pair{1, 2}); });
    Pair seen = load();
    assert(seen.second == 2 * seen.first);
#ifndef APART
    Pair expected{1, 2};
    if (pair.compare_exchange_strong(expected, Pair{3, 6}))
        assert(load().first == 3);
    else
        assert(expected.first == 0);
#endif
    writer.join();
}
