// Floating-point arithmetic in both precisions, rounding, and the difference between them.
#include <float.h>
#include <stdio.h>

static double newton(double n) {
    double x = n;
    for (int i = 0; i < 30; i++) x = (x + n / x) / 2;
    return x;
}

static float sum_float(int n) { float s = 0; for (int i = 1; i <= n; i++) s += 1.0f / (float)i; return s; }
static double sum_double(int n) { double s = 0; for (int i = 1; i <= n; i++) s += 1.0 / i; return s; }

int main(void) {
    printf("%.17g %.17g\n", 0.1 + 0.2, newton(2));
    printf("%.9g %.9g\n", 0.1f + 0.2f, (double)(0.1f * 3));
    printf("%.9g %.17g\n", sum_float(1000), sum_double(1000));
    printf("%g %g %g\n", 7.0 / 2, -7.0 / 3, 1e300 * 1e10);
    printf("%.9g %.9g\n", 16777216.0f + 1.0f, 16777216.0f + 2.0f);
    printf("%.17g %.17g\n", (double)(float)0.1, 0.1);
    printf("%g %g %g\n", DBL_EPSILON, DBL_MIN / 4, FLT_MAX);
    float f = 1.5f;
    f += 2;
    f *= f;
    f--;
    printf("%g %g\n", f, -f);
    double kahan = 0, lost = 0;
    for (int i = 0; i < 1000; i++) {
        double y = 0.1 - lost, t = kahan + y;
        lost = t - kahan - y;
        kahan = t;
    }
    printf("%.17g\n", kahan);
    f += 1.25f - 0.25f;
    printf("%d %d\n", 0.1 + 0.2 == 0.3, (double)f == 12.25);
    return 0;
}
