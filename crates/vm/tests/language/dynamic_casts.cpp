// dynamic_cast down, across and to void, through single, multiple and virtual inheritance.
#include <cstdio>

struct Base { virtual ~Base() {} int base = 1; };
struct Middle : Base { int middle = 2; };
struct Derived : Middle { int derived = 3; };
struct Other { virtual ~Other() {} int other = 4; };
struct Both : Derived, Other { int both = 5; };
struct Left : virtual Base { int left = 6; };
struct Right : virtual Base { int right = 7; };
struct Diamond : Left, Right { int diamond = 8; };

int main() {
    Base *derived = new Derived, *both = new Both, *plain = new Base, *diamond = new Diamond;
    std::printf("%d\n", dynamic_cast<Derived *>(derived)->derived);
    std::printf("%d\n", dynamic_cast<Middle *>(both)->middle);
    std::printf("%d\n", dynamic_cast<Derived *>(plain) == nullptr);
    std::printf("%d\n", dynamic_cast<Other *>(both)->other);
    std::printf("%d\n", dynamic_cast<Other *>(derived) == nullptr);
    std::printf("%d\n", dynamic_cast<Both *>(dynamic_cast<Other *>(both))->both);
    std::printf("%d %d\n", dynamic_cast<Diamond *>(diamond)->diamond, dynamic_cast<Right *>(diamond)->right);
    std::printf("%d\n", dynamic_cast<void *>(both) == static_cast<void *>(both));
    delete derived;
    delete both;
    delete plain;
    delete diamond;
    return 0;
}
