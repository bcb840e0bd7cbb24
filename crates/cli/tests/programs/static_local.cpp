// A static local variable that two threads ask for: one of them initialises it, and both see it initialised, whichever they are
// told of first, the byte that says so or the lock. What they do with it afterwards is theirs to order.
// check: -std=c++17 --races
// verdict: verified
// check: -std=c++17 --memory-model rc11
// verdict: verified
// check: -std=c++17 -O1 --races
// verdict: verified
// check: -std=c++17 -DCHANGED --races
// verdict: bug
// bug: data-race
#include <cassert>
#include <thread>

static int made;

struct Object {
    int value = 5;
    Object() { made++; }
};

static Object &get() {
    static Object object;
    return object;
}

static void use() {
    assert(get().value >= 5);
#ifdef CHANGED
    get().value++;
#endif
}

int main() {
    std::thread thread(use);
    use();
    thread.join();
    assert(made == 1);
}
