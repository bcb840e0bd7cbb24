// std::atomic::wait (C++20) does not come back by itself: who changes the value has to notify.
// check: -std=c++20
// verdict: verified
// check: -std=c++20 --memory-model rc11
// verdict: verified
// check: -std=c++20 -DFORGETS
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DTWO
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DTWO -DALL
// verdict: verified
// check: -std=c++20 -DTYPE=short
// verdict: verified
// check: -std=c++20 -DTYPE=short -DFORGETS
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DTYPE=bool -DTWO
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DTYPE=bool -DTWO -DALL
// verdict: verified
// check: -std=c++20 -DTYPE=long -DTWO -O1
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DTYPE=Large
// verdict: verified
// check: -std=c++20 -DTYPE=Large -DFORGETS
// verdict: bug
// bug: deadlock
#include <atomic>
#include <cassert>
#include <thread>

#ifndef TYPE
#define TYPE int
#endif

// More than can be compared in one step.
struct Large {
    Large(int value = 0) : low(value), high(value) {}
    long low, high;
};

std::atomic<TYPE> x;
int data;

static void wait() {
    x.wait(0);
    assert(data == 1);
}

int main() {
    std::thread writer([] {
        data = 1;
        x.store(1);
#ifdef ALL
        x.notify_all();
#elif !defined FORGETS
        x.notify_one();
#endif
    });
#ifdef TWO
    std::thread other(wait);
#endif
    wait();
    writer.join();
#ifdef TWO
    other.join();
#endif
}
