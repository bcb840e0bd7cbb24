// Overloaded operators: arithmetic, comparison, indexing, calls, conversion, increments.
#include <cstdio>

struct Fraction {
    int n, d;
    static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
    Fraction(int n = 0, int d = 1) : n(n), d(d) {
        int g = gcd(n < 0 ? -n : n, d);
        if (g) this->n /= g, this->d /= g;
    }
    Fraction operator-() const { return {-n, d}; }
    Fraction &operator+=(const Fraction &o) { return *this = Fraction(n * o.d + o.n * d, d * o.d); }
    explicit operator double() const { return static_cast<double>(n) / d; }
    explicit operator bool() const { return n != 0; }
    Fraction &operator++() { return *this += 1; }
    Fraction operator++(int) { Fraction old = *this; ++*this; return old; }
};
Fraction operator+(Fraction a, const Fraction &b) { return a += b; }
Fraction operator*(const Fraction &a, const Fraction &b) { return {a.n * b.n, a.d * b.d}; }
bool operator<(const Fraction &a, const Fraction &b) { return a.n * b.d < b.n * a.d; }
bool operator==(const Fraction &a, const Fraction &b) { return a.n == b.n && a.d == b.d; }

struct Grid {
    int cells[6] = {};
    int &operator()(int r, int c) { return cells[r * 3 + c]; }
    int *operator[](int r) { return &cells[r * 3]; }
};
Fraction operator""_half(unsigned long long n) { return {static_cast<int>(n), 2}; }

int main() {
    Fraction a(1, 2), b(1, 3), c = a + b * 3 + 1;
    std::printf("%d/%d %g\n", c.n, c.d, static_cast<double>(-c));
    std::printf("%d %d %d\n", b < a, a == Fraction(2, 4), !Fraction(0));
    Fraction old = a++;
    std::printf("%d/%d %d/%d\n", old.n, old.d, a.n, a.d);
    Grid g;
    g(1, 2) = 7;
    g[0][1] = 8;
    std::printf("%d %d %d\n", g[1][2], g(0, 1), g.cells[5]);
    Fraction h = 3_half;
    std::printf("%d/%d\n", h.n, h.d);
    return 0;
}
