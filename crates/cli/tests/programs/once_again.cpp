// What is done once is done by the next one if an exception leaves it: `std::call_once`, and the initialisation of a static local
// variable. Whoever waited for it must not take it for done.
// check: -std=c++17
// verdict: verified
// check: -std=c++17 -O1
// verdict: verified
// check: -std=c++17 -DSTATIC
// verdict: verified
// check: -std=c++17 -DSTATIC -O1
// verdict: verified
// check: -std=c++17 -DTHREE_TIMES
// verdict: bug
// bug: assertion
#include <cassert>
#include <mutex>
#include <thread>

int tries, value;

static void initialise() {
    if (++tries == 1)
        throw 1;
    value = 7;
}

#ifdef STATIC
struct Object {
    Object() { initialise(); }
};

static void get() { static Object object; }
#else
std::once_flag flag;

static void get() { std::call_once(flag, initialise); }
#endif

static void use() {
    try {
        get();
        assert(value == 7);
    } catch (int) {
    }
}

int main() {
    std::thread thread(use);
    use();
    thread.join();
#ifdef THREE_TIMES
    assert(tries == 3);
#else
    // Two came: the first one has thrown, the other one has done it.
    assert(tries == 2);
#endif
}
