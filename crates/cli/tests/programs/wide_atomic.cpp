// Atomic accesses to 16 bytes: instructions, a structure in std::atomic, and inline assembly. Pairs that are always changed
// together are never seen apart.
// check:
// verdict: verified
// check: -DASSEMBLY
// verdict: verified
// check: -DSTRUCTURE -std=c++17
// verdict: verified
// check: -DAPART
// verdict: bug
// bug: assertion
// check: --algorithm graphs
// verdict: verified
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

#ifdef STRUCTURE
struct alignas(16) Pair {
    uint64_t a, b;
};
std::atomic<Pair> pair;
void add() {
    Pair old = pair.load(), next;
    do
        next = {old.a + 1, old.b + 2};
    while (!pair.compare_exchange_strong(old, next));
}
void look() {
    Pair now = pair.load();
    assert(now.b == 2 * now.a);
}
#else
alignas(16) unsigned __int128 pair;
using Wide = unsigned __int128;
Wide make(uint64_t a, uint64_t b) { return Wide(b) << 64 | a; }
bool exchange(Wide *at, Wide *expected, Wide next) {
#ifdef ASSEMBLY
    uint64_t low = uint64_t(*expected), high = uint64_t(*expected >> 64);
    bool done;
    asm volatile("lock cmpxchg16b %1; setz %0"
                 : "=q"(done), "+m"(*at), "+a"(low), "+d"(high)
                 : "b"(uint64_t(next)), "c"(uint64_t(next >> 64))
                 : "memory", "cc");
    *expected = make(low, high);
    return done;
#else
    return __atomic_compare_exchange_n(at, expected, next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
#endif
}
void add() {
    Wide old = __atomic_load_n(&pair, __ATOMIC_ACQUIRE);
    while (!exchange(&pair, &old, make(uint64_t(old) + 1, uint64_t(old >> 64) + 2)))
        ;
}
void look() {
#ifdef APART
    auto *halves = reinterpret_cast<uint64_t *>(&pair);
    uint64_t a = __atomic_load_n(&halves[0], __ATOMIC_SEQ_CST), b = __atomic_load_n(&halves[1], __ATOMIC_SEQ_CST);
#else
    Wide now = __atomic_load_n(&pair, __ATOMIC_SEQ_CST);
    uint64_t a = uint64_t(now), b = uint64_t(now >> 64);
#endif
    assert(b == 2 * a);
}
#endif

int main() {
    std::thread one(add), two(add);
    look();
    one.join();
    two.join();
    look();
}
