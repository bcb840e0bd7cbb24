// std::cout with text, characters, numbers and strings.
#include <iostream>
#include <string>

int main() {
    std::string name = "world";
    std::cout << "hello " << name << '!' << std::endl;
    std::cout << 3 << ' ' << -4L << ' ' << 5u << ' ' << 10000000000ul << ' ' << 2.5 << ' ' << 1e10 << ' ' << true << "\n";
    std::cerr << "not output\n";
    return 0;
}
