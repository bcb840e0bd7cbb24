// libcuckoo's hash map (Debian: libcuckoo-dev): two threads count in it, under one key and under keys of their own.
// -DBROKEN: they look for a number and put in a greater one, in two steps.
#include <cassert>
#include <libcuckoo/cuckoohash_map.hh>
#include <thread>

static void count(libcuckoo::cuckoohash_map<int, int> &map, int own) {
    map.insert(own, own);
#ifdef BROKEN
    int before = 0;
    map.find(0, before);
    map.insert_or_assign(0, before + 1);
#else
    map.upsert(0, [](int &number) { number++; }, 1);
#endif
}

int main() {
    libcuckoo::cuckoohash_map<int, int> map(4);
    std::thread other([&] { count(map, 1); });
    count(map, 2);
    other.join();
    assert(map.find(1) == 1 && map.find(2) == 2);
    assert(map.find(0) == 2);
}
