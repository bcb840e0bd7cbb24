// std::function: of functions, lambdas, members and objects; stored, copied, composed.
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

static int twice(int n) { return 2 * n; }
struct Adder {
    int by;
    int operator()(int n) const { return n + by; }
    int scaled(int n) const { return n * by; }
};

static std::function<int(int)> compose(std::function<int(int)> f, std::function<int(int)> g) {
    return [f = std::move(f), g = std::move(g)](int n) { return f(g(n)); };
}

int main() {
    Adder adder{100};
    std::vector<std::function<int(int)>> all{twice, adder, [](int n) { return -n; }};
    all.push_back([&adder](int n) { return adder.scaled(n); });
    for (auto &f : all) std::printf("%d ", f(7));
    std::printf("\n");
    auto chain = compose(compose(all[0], all[1]), all[2]);
    std::printf("%d\n", chain(3));
    std::function<int(int)> empty, copy = chain;
    std::printf("%d %d %d\n", !empty, copy(4), static_cast<bool>(copy));
    copy = nullptr;
    std::printf("%d\n", !copy);
    std::function<int(const Adder &, int)> member = &Adder::scaled;
    std::printf("%d\n", member(adder, 3));
    auto bound = std::bind(&Adder::scaled, &adder, std::placeholders::_1);
    adder.by = 5;
    std::printf("%d %d\n", bound(6), all[1](0));
    return 0;
}
