// Virtual functions, abstract bases, several bases, virtual destructors, calls from constructors.
#include <cstdio>

struct Shape {
    Shape() { std::printf("shape "); }
    virtual ~Shape() { std::printf("~shape\n"); }
    virtual int area() const = 0;
    virtual const char *name() const { return "shape"; }
};
struct Square : Shape {
    int side;
    explicit Square(int n) : side(n) { std::printf("%s ", name()); }
    ~Square() override { std::printf("~%s ", name()); }
    int area() const override { return side * side; }
    const char *name() const override { return "square"; }
};
struct Named { virtual ~Named() = default; virtual int length() const { return 5; } int tag = 9; };
struct Box final : Square, Named {
    explicit Box(int n) : Square(n) {}
    const char *name() const override { return "box"; }
    int length() const override { return side; }
};
struct Top { int n = 3; virtual ~Top() {} };
struct Left : virtual Top { int l = 1; };
struct Right : virtual Top { int r = 2; };
struct Bottom : Left, Right { int sum() { return n + l + r; } };

int main() {
    Shape *shapes[] = {new Square(3), new Box(4)};
    std::printf("\n");
    for (Shape *s : shapes) std::printf("%s %d\n", s->name(), s->area());
    Box box(6);
    Named &named = box;
    std::printf("\n%d %d %d\n", named.length(), named.tag, static_cast<Box &>(named).side);
    int (Shape::*area)() const = &Shape::area;
    std::printf("%d\n", (shapes[1]->*area)());
    for (Shape *s : shapes) delete s;
    Bottom bottom;
    static_cast<Left &>(bottom).n = 10;
    std::printf("%d\n", bottom.sum());
    return 0;
}
