// std::map and std::set: insertion, lookup, order, removal.
#include <cstdio>
#include <map>
#include <set>
#include <string>

int main() {
    std::map<int, int> squares;
    for (int i = 0; i < 40; i++)
        squares[i * 17 % 41] = i;
    int sum = 0;
    for (const auto &entry : squares)
        sum = (sum * 31 + entry.first * entry.second) % 100003;
    std::printf("%zu %d\n", squares.size(), sum);
    for (int i = 0; i < 41; i += 3)
        squares.erase(i);
    for (const auto &entry : squares)
        std::printf("%d:%d ", entry.first, entry.second);
    std::printf("\n%d %d\n", squares.count(3) != 0, squares.count(4) != 0);
    auto bound = squares.lower_bound(12);
    std::printf("%d", bound->first);
    std::printf(" %d %d\n", (--bound)->first, squares.rbegin()->first);
    while (!squares.empty())
        squares.erase(squares.size() % 2 ? squares.begin() : --squares.end());
    std::map<std::string, int> ages = { { "bob", 3 }, { "alice", 5 } };
    ages["carol"] = 7;
    for (const auto &[name, age] : ages)
        std::printf("%s %d\n", name.c_str(), age);
    std::set<int> odd;
    for (int i = 9; i > 0; i -= 2)
        odd.insert(i);
    odd.insert(5);
    for (int number : odd)
        std::printf("%d ", number);
    std::multiset<int> several = { 2, 1, 2 };
    std::printf("%zu %zu\n", odd.size(), several.count(2));
    return 0;
}
