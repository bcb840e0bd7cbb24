// Function and class templates, specialisation, variadic ones, folds, non-type parameters.
#include <cstddef>
#include <cstdio>

template <typename T> T largest(const T *from, std::size_t n) {
    T best = from[0];
    for (std::size_t i = 1; i < n; i++) if (best < from[i]) best = from[i];
    return best;
}
template <typename T, std::size_t N> class Stack {
    T items_[N];
    std::size_t size_ = 0;

public:
    bool push(const T &t) { return size_ < N ? items_[size_++] = t, true : false; }
    T pop() { return items_[--size_]; }
    std::size_t size() const { return size_; }
};
template <typename T> struct Name { static const char *get() { return "unknown"; } };
template <> struct Name<int> { static const char *get() { return "int"; } };
template <typename T> struct Name<T *> { static const char *get() { return "pointer"; } };
template <typename... Ts> auto sum(Ts... ts) { return (ts + ... + 0); }
template <typename T, typename... Rest> int count(T, Rest... rest) {
    if constexpr (sizeof...(rest) == 0) return 1;
    else return 1 + count(rest...);
}
template <unsigned N> struct Factorial { static const unsigned value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static const unsigned value = 1; };

int main() {
    const int ints[] = {3, 9, 2};
    const double doubles[] = {1.5, -2};
    std::printf("%d %g\n", largest(ints, 3), largest(doubles, 2));
    Stack<int, 3> s;
    int pushed = 0;
    for (int i = 0; i < 5; i++) pushed += s.push(i * i);
    std::printf("%d %d %zu\n", pushed, s.pop(), s.size());
    std::printf("%s %s %s\n", Name<int>::get(), Name<char *>::get(), Name<double>::get());
    std::printf("%g %d %d\n", sum(1, 2.5, 3L), sum(), count('a', 2, 3.0));
    std::printf("%u\n", Factorial<10>::value);
    return 0;
}
