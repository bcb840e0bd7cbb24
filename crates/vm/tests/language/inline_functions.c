// inline, static inline, always_inline, noinline, functions declared in blocks, unused results.
#include <stdio.h>

static inline int square(int n) { return n * n; }
static inline __attribute__((always_inline)) int cube(int n) { return n * square(n); }
static __attribute__((noinline)) int quartic(int n) { return square(square(n)); }
inline int halve(int n);
inline int halve(int n) { return n / 2; }
extern inline int halve(int n);
static __attribute__((const)) int pure(int n) { return n + 1; }
static int late(int n);

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define GLUE(a, b) a##b
#define TEXT(x) #x

int main(void) {
    int GLUE(one, two) = 12;
    printf("%d %d %d %d\n", square(5), cube(3), quartic(4), halve(9));
    int n = 3;
    printf("%d\n", square(n++));
    printf("%d %d\n", n, pure(n));
    (void)pure(1);
    extern int puts(const char *);
    puts(TEXT(a + b == c));
    printf("%d %d %s\n", onetwo, MAX(square(2), 3), __func__);
    printf("%d\n", late(5));
    return 0;
}

static int late(int n) { return n <= 1 ? 1 : n * late(n - 1); }
