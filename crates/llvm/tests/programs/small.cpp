enum class Color : unsigned char { Red, Green = 7 };
struct Base { int b = 1; static int instances; }; int Base::instances = 3;
struct Derived : Base { Color color = Color::Green; int &reference; explicit Derived(int &r) : reference(r) {} int operator+(int o) const { return b + o; } };
template <int N> constexpr int factorial() { if constexpr (N <= 1) return 1; else return N * factorial<N - 1>(); }
namespace { int hidden = 2; }
int main() { auto add = [captured = hidden](auto x) { return x + captured; }; Derived d(hidden); return (d + add(3)) + factorial<5>() + (d.color == Color::Red) + Base::instances; }
