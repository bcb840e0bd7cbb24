// std::string: building, searching, comparing, converting; short ones and ones on the heap.
#include <cstdio>
#include <string>
#include <vector>

static std::string repeat(const std::string &text, int times) {
    std::string result;
    for (int i = 0; i < times; i++)
        result += text;
    return result;
}

int main() {
    std::string greeting = "hello";
    greeting += ", world";
    greeting.push_back('!');
    std::printf("%s %zu\n", greeting.c_str(), greeting.size());
    std::printf("%zu %d\n", greeting.find("world"), greeting.find("nobody") == std::string::npos);
    std::printf("%s|%s\n", greeting.substr(7, 5).c_str(), repeat("ab", 20).c_str());
    std::string other = greeting;
    other[0] = 'j';
    std::printf("%d %d %d\n", other == greeting, greeting < other, other.compare("jello, world!"));
    other.insert(5, " there").replace(0, 1, "J").erase(11);
    std::printf("%s\n", other.c_str());
    std::printf("%s %d\n", std::to_string(42).c_str(), std::stoi("17") + 1);
    std::vector<std::string> words = { "pear", "apple", "a rather long word that is on the heap" };
    for (const auto &word : words)
        std::printf("%s\n", word.c_str());
    std::string moved = std::move(words[2]);
    std::printf("%zu %zu\n", moved.size(), words[2].size());
    return 0;
}
