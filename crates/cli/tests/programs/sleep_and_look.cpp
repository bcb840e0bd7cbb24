// Looking, and sleeping in between, is waiting. Nobody sees in which order the two threads add to what is waited for,
// so there is one execution.
// check: -DNUMBER
// verdict: verified
// complete: 1
// check: -DNUMBER -O1
// verdict: verified
// complete: 1
// check: -std=c++20 -DLITERAL
// verdict: verified
// complete: 1
// check: -DNUMBER -DNOBODY
// verdict: bug
// bug: livelock
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<int> done;
using namespace std::chrono_literals;

int main() {
    auto work = [] {
#ifndef NOBODY
        done++;
#endif
    };
    std::thread first(work), second(work);
    while (done.load() != 2)
#ifdef LITERAL
        std::this_thread::sleep_for(10us);
#else
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
#endif
    first.join();
    second.join();
}
