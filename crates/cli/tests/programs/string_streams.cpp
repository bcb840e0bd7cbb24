// Streams of strings, with the library's own code: one for each thread, one for both under a lock, and one without. The
// standard streams may be used by all threads at the same time, which is no data race.
// check: -std=c++17 --races
// verdict: verified
// complete: 1
// assumed: states of the standard streams
// check: -std=c++17 -DSHARED -DLOCK --races
// verdict: verified
// check: -std=c++17 -DSHARED --races
// verdict: bug
// bug: data-race
// check: -std=c++17 -DFILES
// verdict: error
// message: basic_ofstream
#include <cassert>
#ifdef FILES
#include <fstream>
#endif
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::ostringstream shared;
static std::mutex mutex;

static void work(int number) {
    std::cout << std::setw(4) << number << std::hex << ' ' << number << std::dec << std::endl;
#ifdef SHARED
#ifdef LOCK
    std::lock_guard<std::mutex> guard(mutex);
#endif
    shared << std::setw(3) << number;
#else
    std::stringstream own;
    own << number << ' ' << std::setprecision(2) << 0.5 * number;
    int again;
    double half;
    own >> again >> half;
    assert(again == number && 2 * half == number);
#endif
}

int main() {
#ifdef FILES
    std::ofstream file("name");
    file << 1;
#endif
    std::thread one(work, 10), two(work, 20);
    one.join();
    two.join();
#ifdef SHARED
    assert(shared.str() == " 10 20" || shared.str() == " 20 10");
#endif
}
