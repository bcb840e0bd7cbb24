// Throwing, catching, destructors on the way, throwing again, bases, pointers, exceptions inside of handlers.
#include <cstdio>
#include <exception>

struct Noise {
    const char *name;
    explicit Noise(const char *name) : name(name) { std::printf("+%s\n", name); }
    ~Noise() { std::printf("-%s\n", name); }
};

struct Base {
    int value;
    explicit Base(int value) : value(value) {}
    Base(const Base &other) : value(other.value) { std::printf("copy %d\n", value); }
    virtual ~Base() { std::printf("~Base %d\n", value); }
    virtual const char *who() const { return "base"; }
};

struct Other {
    int other = 7;
    virtual ~Other() {}
};

struct Derived : Other, Base {
    explicit Derived(int value) : Base(value) {}
    const char *who() const override { return "derived"; }
};

struct Single : Base {
    explicit Single(int value) : Base(value) {}
    const char *who() const override { return "single"; }
};

static int deep(int depth) {
    Noise noise("deep");
    if (depth == 0)
        throw 42;
    return deep(depth - 1) + 1;
}

static void derived(int which) {
    Noise noise("derived");
    if (which == 0)
        throw Derived(1);
    if (which == 1)
        throw Single(2);
    if (which == 2)
        throw "text";
    if (which == 3)
        throw new Single(3);
    throw 1.5;
}

static void again() {
    try {
        throw Single(4);
    } catch (Base &base) {
        std::printf("caught %s, again\n", base.who());
        base.value = 5;
        throw;
    }
}

struct Member {
    Noise noise{"member"};
    Member() { throw 'c'; }
};

static int value(int x) noexcept(false) {
    try {
        if (x > 1)
            throw x;
        return x;
    } catch (int caught) {
        return -caught;
    }
}

int main() {
    try {
        std::printf("%d\n", deep(2));
    } catch (int number) {
        std::printf("int %d\n", number);
    }
    for (int which = 0; which < 5; which++) {
        try {
            derived(which);
        } catch (const Base &base) {
            std::printf("%s %d\n", base.who(), base.value);
        } catch (const char *text) {
            std::printf("text %s\n", text);
        } catch (Base *base) {
            std::printf("pointer to %s\n", base->who());
            delete base;
        } catch (...) {
            std::printf("something else, %d\n", std::uncaught_exceptions());
        }
    }
    try {
        again();
    } catch (Base base) {
        std::printf("a copy with %d\n", base.value);
    }
    try {
        Member member;
    } catch (char c) {
        std::printf("char %c\n", c);
    }
    try {
        try {
            throw 1;
        } catch (int) {
            Noise noise("handler");
            throw 2;
        }
    } catch (int number) {
        std::printf("from a handler: %d\n", number);
    }
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += value(i);
    std::printf("%d\n", sum);
    std::exception_ptr kept;
    try {
        throw Single(8);
    } catch (...) {
        kept = std::current_exception();
    }
    for (int i = 0; i < 2; i++) {
        try {
            std::rethrow_exception(kept);
        } catch (Single &single) {
            std::printf("kept %d\n", single.value++);
        }
    }
    kept = nullptr;
    auto made = std::make_exception_ptr(99);
    try {
        std::rethrow_exception(made);
    } catch (int number) {
        std::printf("made %d\n", number);
    }
}
