// A client of xenium's left_right: a reader sees all of a change or nothing of it. BROKEN: two values are changed apart.
#include <cassert>
#include <thread>
#include <xenium/left_right.hpp>

struct both {
    long first = 0, second = 0;
};

static xenium::left_right<both> shared;

int main() {
    std::thread writer([] {
#ifdef BROKEN
        shared.update([](both &it) { it.first = 1; });
        shared.update([](both &it) { it.second = 1; });
#else
        shared.update([](both &it) { it.first = it.second = 1; });
#endif
    });
    bool is_whole = shared.read([](const both &it) { return it.first == it.second; });
    assert(is_whole);
    writer.join();
}
