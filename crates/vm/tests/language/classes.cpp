// Constructors and destructors in order, members, inheritance, static members.
#include <cstdio>

class Traced {
public:
    explicit Traced(int id) : id_(id) { count_++; std::printf("+%d ", id_); }
    Traced(const Traced &other) : id_(other.id_ + 100) { count_++; std::printf("copy %d ", id_); }
    ~Traced() { count_--; std::printf("-%d ", id_); }
    int id() const { return id_; }
    static int count() { return count_; }

private:
    int id_;
    static int count_;
};
int Traced::count_ = 0;

struct Base { Traced first; Base(int n) : first(n) {} };
struct Derived : Base {
    Traced second, third{7};
    explicit Derived(int n) : Base(n), second(n + 1) { std::printf("body "); }
    ~Derived() { std::printf("end "); }
};

static int use(Traced t) { return t.id(); }

int main() {
    {
        Derived d(1);
        std::printf("\n%d\n", Traced::count());
    }
    std::printf("\n");
    Traced t(5);
    int n = use(t);
    std::printf("%d\n", n);
    for (int i = 0; i < 2; i++) Traced inner(10 + i);
    std::printf("\n");
    Traced array[2] = {Traced(20), Traced(21)};
    const Traced &bound = Traced(30);
    std::printf("\n%d %d\n", bound.id() + array[1].id(), Traced::count());
    return 0;
}
