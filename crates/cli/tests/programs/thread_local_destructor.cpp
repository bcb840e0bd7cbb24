// The destructors of thread_local variables run at the end of their thread, before it can be joined, last first; those of
// main before those of static variables.
// check:
// verdict: verified
// check: -DWRONG
// verdict: bug
// bug: assertion
// message: flushed == 2
#include <cassert>
#include <atomic>
#include <pthread.h>

std::atomic<int> flushed;

struct Static {
    ~Static() { assert(flushed == 4); }
} last;

struct First {
    int count = 0;
    ~First() { flushed += count; }
};

struct Second {
    First *before;
    explicit Second(First *before) : before(before) {}
    ~Second() { before->count++; }
};

thread_local First one;
thread_local Second two(&one);

static void *count(void *) {
    one.count = 1;
    two.before->count += 0;
#ifdef WRONG
    two.before->count++;
#endif
    return nullptr;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, count, nullptr);
    pthread_join(thread, nullptr);
    assert(flushed == 2);
    count(nullptr);
}
