#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Base { virtual ~Base() { std::puts("~Base"); } virtual int f() const = 0; };
struct Derived : Base { int x; explicit Derived(int x) : x(x) {} ~Derived() override { std::puts("~Derived"); } int f() const override { return x; } };
template <class T> T most(T a, T b) { return a < b ? b : a; }
static Derived global(3);
static std::mutex m;
static std::condition_variable c;
static bool ready;
static int make() { static int calls = most(1, 2); return calls++; }
int main() {
    std::unique_ptr<Base> p(new Derived(5));
    std::printf("%d %d %.1f\n", p->f(), most(3, 4), most(1.5, 2.5));
    std::vector<int> v;
    for (int i = 0; i < 10; i++) v.push_back(i * i);
    int sum = 0;
    for (int x : v) sum += x;
    std::printf("%d %zu\n", sum, v.size());
    std::atomic<int> n{0};
    std::thread t([&] { n += 5; std::lock_guard<std::mutex> l(m); ready = true; c.notify_one(); });
    { std::unique_lock<std::mutex> l(m); c.wait(l, [] { return ready; }); }
    t.join();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back([&n, i] { n.fetch_add(i); });
    for (auto &thread : threads) thread.join();
    std::printf("%d %d %d\n", n.load(), make(), make());
    auto shared = std::make_shared<int>(4);
    auto other = shared;
    std::printf("%ld %d\n", shared.use_count(), *other);
}
