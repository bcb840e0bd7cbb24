// Spin loops of C++: through the functions of std::atomic, a function of the program, and a compare-exchange that takes
// what it expects by reference. One takes the lock before the other, or after; both wait for the flag.
// check:
// verdict: verified
// complete: 2
// blocked: 0
// check: --clang-flag=-std=c++20
// verdict: verified
// complete: 2
// blocked: 0
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> ready{false};
std::atomic<int> owner{0};
int value;

bool try_lock(int me) {
    int nobody = 0;
    return owner.compare_exchange_strong(nobody, me);
}

void work(int me) {
    while (!ready.load())
        std::this_thread::yield();
    while (!try_lock(me))
        ;
    value = me;
    assert(value == me);
    owner.store(0);
}

int main() {
    std::thread one(work, 1), two(work, 2);
    ready = true;
    one.join();
    two.join();
}
