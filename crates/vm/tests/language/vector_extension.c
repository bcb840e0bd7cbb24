// GNU vectors: arithmetic, comparison, shuffles, elements, as arguments.
#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b8 __attribute__((vector_size(8)));

static v4 triple(v4 v) { return v * 3; }
static int sum(v4 v) { return v[0] + v[1] + v[2] + v[3]; }

int main(void) {
    v4 a = {1, 2, 3, 4}, b = {10, -20, 30, -40};
    v4 c = a + b, d = triple(a) - b, e = a < b, f = -a ^ b, g = b >> 1;
    for (int i = 0; i < 4; i++) printf("%d %d %d %d %d\n", c[i], d[i], e[i], f[i], g[i]);
    a[2] = 100;
    int at = 3;
    a[at] += sum(b);
    printf("%d %d\n", sum(a), a[at]);
    f4 x = {0.5f, 1.5f, -2, 8}, y = x * x + 1;
    printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
    v4 reversed = __builtin_shufflevector(a, b, 3, 2, 5, 4);
    printf("%d %d %d %d\n", reversed[0], reversed[1], reversed[2], reversed[3]);
    b8 bytes = {250, 1, 2, 3, 4, 5, 6, 7};
    bytes += 10;
    printf("%d %d\n", bytes[0], bytes[7]);
    v4 array[2] = {a, b};
    array[1] = array[0] & array[1];
    printf("%d\n", sum(array[1]));
    v4 chosen = ((a > b) & a) | ((a <= b) & b);
    printf("%d %d\n", chosen[0], chosen[1]);
    return 0;
}
