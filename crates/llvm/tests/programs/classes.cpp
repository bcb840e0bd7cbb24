#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };
template <typename T> struct Stack {
  std::vector<T> items;
  void push(T item) { items.push_back(std::move(item)); }
  T pop() { T last = std::move(items.back()); items.pop_back(); return last; }
};
std::atomic<int> counter{0}; std::mutex lock; static std::vector<int> global_values{1, 2, 3}; thread_local int local_count = 5;
template <typename F> int twice(F f) { return f() + f(); }
int main() {
  Stack<std::unique_ptr<Shape>> shapes;
  shapes.push(std::make_unique<Square>(3));
  int n = 2;
  std::function<int(int)> scale = [&n](int x) { return n * x; };
  std::thread worker([&] { std::lock_guard<std::mutex> guard(lock); counter.fetch_add(twice([=] { return n; })); });
  worker.join();
  int *raw = new int[3]{1, 2, 3};
  delete[] raw;
  try { if (counter.load() > 100) throw 7; } catch (int e) { return e; }
  return scale(shapes.pop()->area()) + global_values[0] + counter + local_count;
}
