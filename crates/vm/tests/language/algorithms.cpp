// std::array, std::sort and other algorithms, std::pair, std::tuple, std::optional.
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

static std::optional<int> root(int n) {
    for (int i = 0; i * i <= n; i++) if (i * i == n) return i;
    return std::nullopt;
}
static std::tuple<int, double, char> three() { return {1, 2.5, 'c'}; }

int main() {
    std::array<int, 20> a{};
    unsigned seed = 3;
    for (int &n : a) n = static_cast<int>((seed = seed * 1103515245 + 12345) >> 20 & 0xff);
    std::sort(a.begin(), a.end());
    for (int n : a) std::printf("%d ", n);
    std::sort(a.begin(), a.end(), [](int x, int y) { return x % 10 != y % 10 ? x % 10 < y % 10 : x < y; });
    std::printf("\n%d %d\n", a.front(), a.back());
    std::printf("%d %d\n", *std::max_element(a.begin(), a.end()), std::accumulate(a.begin(), a.end(), 0));
    std::vector<int> v(a.begin(), a.end());
    v.erase(std::remove_if(v.begin(), v.end(), [](int n) { return n % 2; }), v.end());
    std::reverse(v.begin(), v.end());
    std::printf("%zu %d\n", v.size(), static_cast<int>(std::count_if(v.begin(), v.end(), [](int n) { return n > 100; })));
    std::sort(v.begin(), v.end());
    std::printf("%d %d\n", std::binary_search(v.begin(), v.end(), v[2]), std::find(v.begin(), v.end(), 1) == v.end());
    std::printf("%d %d\n", root(144).value_or(-1), root(145).value_or(-1));
    auto [i, d, c] = three();
    std::printf("%d %g %c\n", i, d, c);
    std::pair<int, const char *> pairs[] = {{2, "two"}, {1, "one"}, {3, "three"}};
    std::sort(pairs, pairs + 3, [](auto &x, auto &y) { return x.first < y.first; });
    for (auto &[n, name] : pairs) std::printf("%d %s ", n, name);
    std::swap(pairs[0], pairs[2]);
    std::printf("%s %d\n", pairs[0].second, std::min({5, 3, 8}));
    return 0;
}
