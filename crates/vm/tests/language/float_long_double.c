// long double, where its results are the same in any precision.
#include <stdio.h>

static long double half(long double x) { return x / 2; }

int main(void) {
    long double a = 1.5L, b = 0.25L;
    printf("%g %g %g %g\n", (double)(a + b), (double)(a - b), (double)(a * b), (double)(a / b));
    printf("%d %d %d\n", a > b, a == 1.5, -a < b);
    long double sum = 0;
    for (int i = 0; i < 10; i++) sum += half(i);
    printf("%g %d\n", (double)sum, (int)sum);
    long double array[3] = {1, 2, 3};
    array[1] *= 4;
    printf("%g %zu\n", (double)(array[0] + array[1] + array[2]), sizeof array / sizeof *array);
    struct { char c; long double d; } s = {'x', 8.125L};
    printf("%c %g\n", s.c, (double)s.d);
    printf("%lld\n", (long long)(1e15L + 1));
    printf("%.3Lf %Lg\n", 2.5L, a);
    return 0;
}
