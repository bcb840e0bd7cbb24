// std::list, std::deque, std::queue, std::unordered_map and std::unordered_set.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <list>
#include <queue>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

int main() {
    std::list<int> numbers = { 3, 1, 2 };
    numbers.push_front(9);
    numbers.remove(1);
    numbers.sort();
    std::list<int> more = { 7, 8 };
    numbers.splice(numbers.begin(), more);
    for (int number : numbers)
        std::printf("%d ", number);
    std::printf("%zu %d\n", numbers.size(), more.empty());
    std::deque<int> both;
    for (int i = 0; i < 300; i++)
        i % 2 ? both.push_back(i) : both.push_front(i);
    std::printf("%d %d %zu\n", both.front(), both.back(), both.size());
    std::priority_queue<int> best;
    for (int i : { 4, 9, 2 })
        best.push(i);
    std::printf("%d\n", best.top());
    std::unordered_map<int, int> squares;
    for (int i = 0; i < 100; i++)
        squares[i] = i * i;
    squares.erase(50);
    std::printf("%d %zu %zu\n", squares[12], squares.size(), squares.count(50));
    std::unordered_set<std::string> words = { "one", "two", "three", "two" };
    std::vector<std::string> sorted(words.begin(), words.end());
    std::sort(sorted.begin(), sorted.end());
    for (const auto &word : sorted)
        std::printf("%s ", word.c_str());
    std::printf("\n");
    return 0;
}
