// std::variant and std::visit, std::any of small things, try blocks in which nothing is thrown.
#include <cstdio>
#include <stdexcept>
#include <variant>
#include <vector>

struct Circle { double r; };
struct Square { double a; };
using Shape = std::variant<Circle, Square, int>;
template <class... Ts> struct Overloaded : Ts... { using Ts::operator()...; };
template <class... Ts> Overloaded(Ts...) -> Overloaded<Ts...>;

static int checked(int n) {
    try {
        if (n > 100) throw std::runtime_error("too large");
        return n * 2;
    } catch (const std::exception &e) {
        return -1;
    }
}

int main() {
    std::vector<Shape> shapes{Circle{1}, Square{2}, 7};
    for (auto &s : shapes)
        std::printf("%zu %g\n", s.index(), std::visit(Overloaded{[](Circle &c) { return 3 * c.r; }, [](Square &q) { return q.a * q.a; }, [](int n) { return n + 0.5; }}, s));
    shapes[0] = 5;
    std::printf("%d %d\n", std::holds_alternative<int>(shapes[0]), *std::get_if<int>(&shapes[0]));
    std::printf("%d %d\n", checked(5), checked(50));
    return 0;
}
