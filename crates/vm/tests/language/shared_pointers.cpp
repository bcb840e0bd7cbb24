// std::shared_ptr and std::weak_ptr between threads; std::function, std::optional, std::variant.
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <variant>

struct Noisy {
    int value;
    explicit Noisy(int value) : value(value) {}
    ~Noisy() { std::printf("gone %d\n", value); }
};

int main() {
    std::shared_ptr<Noisy> shared = std::make_shared<Noisy>(3);
    std::weak_ptr<Noisy> weak = shared;
    int seen = 0;
    std::thread thread([copy = shared, &seen] { seen = copy->value; });
    thread.join();
    std::printf("%d %ld %d\n", seen, shared.use_count(), weak.expired());
    shared.reset();
    std::printf("%d\n", weak.lock() == nullptr);
    std::function<int(int)> next = [offset = 1](int x) { return x + offset; };
    std::optional<int> maybe;
    std::variant<int, double> either = 2.5;
    std::printf("%d %d %g\n", next(2), maybe.value_or(9), std::get<double>(either));
    return 0;
}
