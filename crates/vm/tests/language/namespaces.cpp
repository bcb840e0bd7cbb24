// Namespaces, overloading, default arguments, scoped enums, constexpr, initialisation of statics in order.
#include <cstdio>

namespace outer {
int value = 1;
namespace inner { int value = 2; int get() { return value + outer::value; } }
inline namespace v2 { int version() { return 2; } }
struct Tag {};
int lookup(Tag) { return 42; }
}
namespace { int hidden = 7; }
namespace short_name = outer::inner;

static int order = 0;
struct Ordered { int at; Ordered() : at(++order) {} };
static Ordered first, second;
static int from_function = second.at * 10 + first.at;
static Ordered &lazy() { static Ordered instance; return instance; }

constexpr int power(int base, int n) { return n == 0 ? 1 : base * power(base, n - 1); }
static_assert(power(2, 10) == 1024);
constexpr int table[] = {power(3, 1), power(3, 2), power(3, 3)};

enum class Colour : unsigned char { red = 3, green };
static int over(int) { return 1; }
static int over(double) { return 2; }
static int over(const char *, int n = 5) { return n; }
static int over(Colour c) { return static_cast<int>(c) * 100; }

int main() {
    using outer::inner::get;
    std::printf("%d %d %d %d\n", get(), outer::version(), lookup(outer::Tag()), short_name::value + hidden);
    std::printf("%d %d %d\n", first.at, second.at, from_function);
    std::printf("%d\n", order);
    int a = lazy().at, b = lazy().at;
    std::printf("%d %d %d\n", a, b, order);
    std::printf("%d %d %d %d %d\n", over(1), over(1.0), over("x"), over("x", 6), over(Colour::green));
    std::printf("%d %zu\n", table[2], sizeof(Colour));
    return 0;
}
