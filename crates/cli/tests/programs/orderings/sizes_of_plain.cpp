// What is not atomic may be written as a whole and read byte by byte, as strings are, under weak orderings, too. Two executions: the
// flag is seen or not.
// check: -std=c++17
// verdict: verified
// complete: 2
// check: -std=c++17 -O1
// verdict: verified
// complete: 2
// check: -std=c++17 -DUNION
// verdict: verified
// complete: 2
// check: -std=c++17 -DRELAXED
// verdict: bug
// bug: data-race
// check: -std=c++17 -DUNION -DRELAXED
// verdict: bug
// bug: data-race
// check: -std=c++17 -DOTHER
// verdict: bug
// bug: assertion
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

#ifdef UNION
static union {
    long whole;
    char bytes[8];
} data;
#else
static std::string data;
#endif
static std::atomic<bool> ready;

static void write() {
#ifdef UNION
    data.whole = 0x0102030405060708;
#else
    data = "a few words";
#endif
}

static void read() {
#ifdef UNION
    assert(data.bytes[0] == 8 && data.bytes[7] == 1);
#elif defined OTHER
    assert(data == "other words");
#else
    assert(data == "a few words" && data[2] == 'f');
#endif
}

int main() {
#ifdef RELAXED
    const auto order = std::memory_order_relaxed;
#else
    const auto order = std::memory_order_release;
#endif
    std::thread thread([order] {
        write();
        ready.store(true, order);
    });
    if (ready.load(std::memory_order_acquire))
        read();
    thread.join();
}
