// Lambdas: captures by value and reference, mutable, generic, recursive, as function pointers.
#include <cstdio>

template <typename F> int apply(F f, int n) { return f(f(n)); }
static int call(int (*f)(int), int n) { return f(n); }

int main() {
    int offset = 10;
    auto add = [offset](int n) { return n + offset; };
    auto change = [&offset](int by) { offset += by; };
    offset = 20;
    change(5);
    std::printf("%d %d\n", add(1), offset);
    std::printf("%d\n", apply(add, 1));
    int calls = 0;
    auto counter = [n = 0, &calls]() mutable { calls++; return n += 2; };
    int first = counter(), second = counter();
    auto copy = counter;
    std::printf("%d %d %d %d %d\n", first, second, copy(), counter(), calls);
    std::printf("%d\n", call([](int n) { return n * n; }, 12));
    auto generic = [](auto a, auto b) { return a * b; };
    std::printf("%d %g\n", generic(3, 4), generic(1.5, 2));
    auto fibonacci = [](auto self, int n) -> int { return n < 2 ? n : self(self, n - 1) + self(self, n - 2); };
    std::printf("%d\n", fibonacci(fibonacci, 12));
    struct Counter {
        int n = 5;
        auto bump() { return [this](int by) { return n += by; }; }
    } object;
    object.bump()(3);
    std::printf("%d %d\n", object.n, [&] { return object.n + offset; }());
    return 0;
}
