// Programs with std::barrier have the same verdicts with our own as with the library's, whose class gets another name here.
// check: -std=c++20 -DDATA
// verdict: verified
// check: -std=c++20 -DDATA -DLIBRARY
// verdict: verified
// check: -std=c++20 -DDATA -DBROKEN
// verdict: bug
// bug: assertion
// check: -std=c++20 -DDATA -DBROKEN -DLIBRARY
// verdict: bug
// bug: assertion
// check: -std=c++20 -DDROP
// verdict: verified
// check: -std=c++20 -DDROP -DLIBRARY
// verdict: verified
// check: -std=c++20 -DDROP -DBROKEN
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DDROP -DBROKEN -DLIBRARY
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DSPLIT
// verdict: verified
// check: -std=c++20 -DSPLIT -DLIBRARY
// verdict: verified
// check: -std=c++20 -DSPLIT -DBROKEN
// verdict: bug
// bug: assertion
// check: -std=c++20 -DSPLIT -DBROKEN -DLIBRARY
// verdict: bug
// bug: assertion
// check: -std=c++20 -DCOMPLETION
// verdict: verified
// check: -std=c++20 -DCOMPLETION -DLIBRARY
// verdict: verified
// check: -std=c++20 -DCOMPLETION -DBROKEN
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DCOMPLETION -DBROKEN -DLIBRARY
// verdict: bug
// bug: deadlock
// check: -std=c++20 -DFREED
// verdict: verified
// check: -std=c++20 -DFREED -DLIBRARY
// verdict: verified
// check: -std=c++20 -DFREED -DBROKEN
// verdict: bug
// bug: use-after-free
// check: -std=c++20 -DFREED -DBROKEN -DLIBRARY
// verdict: bug
// bug: use-after-free
#ifdef LIBRARY
#define __tree_barrier __barrier_of_the_library
#endif
#include <barrier>
#include <cassert>
#include <mutex>
#include <thread>

int left, right;

#if defined DATA
int main() {
    std::barrier barrier(2);
    auto work = [&](int &mine, int &theirs) {
        mine = 1;
        barrier.arrive_and_wait();
        int seen = theirs;
#ifndef BROKEN
        barrier.arrive_and_wait();
#endif
        mine = seen + 1;
    };
    std::thread thread([&] { work(left, right); });
    work(right, left);
    thread.join();
    assert(left == 2 && right == 2);
}
#elif defined DROP
int main() {
    std::barrier barrier(2);
    std::thread thread([&] {
        left = 1;
#ifndef BROKEN
        barrier.arrive_and_drop();
#endif
    });
    barrier.arrive_and_wait();
    assert(left == 1);
    barrier.arrive_and_wait();
    thread.join();
}
#elif defined SPLIT
int main() {
    std::barrier barrier(2);
    std::thread thread([&] {
        left = 1;
        auto token = barrier.arrive();
#ifdef BROKEN
        left = 2;
#endif
        barrier.wait(std::move(token));
        assert(right == 1);
    });
    right = 1;
    barrier.arrive_and_wait();
    assert(left == 1);
    thread.join();
}
#elif defined COMPLETION
std::mutex mutex;
int main() {
    auto complete = []() noexcept {
        std::lock_guard lock(mutex);
        assert(left == 2);
        left = 0;
    };
    std::barrier barrier(2, complete);
    auto work = [&] {
        std::unique_lock lock(mutex);
        left++;
#ifndef BROKEN
        lock.unlock();
#endif
        barrier.arrive_and_wait();
    };
    std::thread thread(work);
    work();
    thread.join();
    assert(left == 0);
}
#elif defined FREED
int main() {
    auto *barrier = new std::barrier<>(2);
    std::thread thread([=] { barrier->arrive_and_wait(); });
    barrier->arrive_and_wait();
#ifdef BROKEN
    delete barrier;
    thread.join();
#else
    thread.join();
    delete barrier;
#endif
}
#endif
