// std::vector: growth, insertion, removal, of objects and of vectors.
#include <cstdio>
#include <vector>

struct Item {
    int id;
    explicit Item(int n) : id(n) {}
    Item(const Item &o) = default;
    Item(Item &&o) noexcept : id(o.id) { o.id = -1; }
    Item &operator=(Item &&o) noexcept { id = o.id; o.id = -1; return *this; }
    ~Item() { destroyed++; }
    static int destroyed;
};
int Item::destroyed = 0;

int main() {
    std::vector<int> v;
    for (int i = 0; i < 10; i++) v.push_back(i * i);
    v.insert(v.begin() + 3, 100);
    v.erase(v.begin() + 5, v.begin() + 7);
    v.pop_back();
    for (int n : v) std::printf("%d ", n);
    std::printf("%zu %d %d\n", v.size(), v.front(), v.back());
    std::vector<int> w(v.rbegin(), v.rend());
    w.resize(12, 7);
    v.swap(w);
    std::printf("%d %d %zu %d\n", v[0], v[11], w.size(), v == w);
    {
        std::vector<Item> items;
        items.reserve(4);
        for (int i = 0; i < 4; i++) items.emplace_back(i);
        items.erase(items.begin() + 1);
        std::printf("%d %d %zu %d\n", items[1].id, items[2].id, items.size(), Item::destroyed);
    }
    std::printf("%d\n", Item::destroyed);
    std::vector<std::vector<char>> rows(3, std::vector<char>(4, '.'));
    rows[1][2] = '#';
    rows.push_back({'a', 'b'});
    for (const auto &row : rows) std::printf("%.*s\n", static_cast<int>(row.size()), row.data());
    v.clear();
    std::printf("%d\n", v.empty());
    return 0;
}
