// Copying and moving, references of all kinds, forwarding.
#include <cstdio>
#include <cstring>
#include <utility>

class Text {
    char *data_;

public:
    static int copies, moves;
    explicit Text(const char *s) : data_(new char[std::strlen(s) + 1]) { std::strcpy(data_, s); }
    Text(const Text &o) : Text(o.data_) { copies++; }
    Text(Text &&o) noexcept : data_(std::exchange(o.data_, nullptr)) { moves++; }
    Text &operator=(Text o) noexcept { std::swap(data_, o.data_); return *this; }
    ~Text() { delete[] data_; }
    const char *get() const { return data_ ? data_ : "(moved)"; }
};
int Text::copies = 0, Text::moves = 0;

static const char *kind(int &) { return "lvalue"; }
static const char *kind(const int &) { return "const lvalue"; }
static const char *kind(int &&) { return "rvalue"; }
template <typename T> static const char *forward(T &&t) { return kind(std::forward<T>(t)); }
static Text choose(bool which) { Text a("a"), b("b"); if (which) return a; return b; }
static int &element(int (&array)[3], int i) { return array[i]; }

int main() {
    Text a("first"), b(a), c(std::move(a));
    std::printf("%s %s %s %d %d\n", a.get(), b.get(), c.get(), Text::copies, Text::moves);
    a = c;
    c = Text("third");
    b = std::move(c);
    std::printf("%s %s %s\n", a.get(), b.get(), c.get());
    std::swap(a, b);
    std::printf("%s %s %s\n", a.get(), b.get(), choose(true).get());
    int n = 1;
    const int k = 2;
    std::printf("%s %s %s\n", forward(n), forward(k), forward(3));
    int array[3] = {1, 2, 3};
    element(array, 1) = 50;
    int &&temporary = 7;
    temporary++;
    auto &alias = array[2];
    auto copy = alias;
    alias = 9, copy = 8;
    std::printf("%d %d %d %d\n", array[1], array[2], temporary, copy);
    return 0;
}
