// Infinities, not-a-number, signed zeros, and every comparison with them.
#include <math.h>
#include <stdio.h>

static void compare(const char *name, double a, double b) {
    printf("%s: %d %d %d %d %d %d\n", name, a < b, a <= b, a > b, a >= b, a == b, a != b);
}

int main(void) {
    volatile double zero = 0.0, one = 1.0;
    double inf = one / zero, minus = -one / zero, nan = __builtin_fabs(inf - inf);
    compare("inf and 1", inf, 1);
    compare("-inf and inf", minus, inf);
    compare("nan and nan", nan, nan);
    compare("nan and 1", nan, 1);
    compare("0 and -0", 0.0, -0.0);
    printf("%f %f %g %e %F\n", inf, minus, nan, inf, inf);
    printf("%d %d %d %d\n", isnan(nan) != 0, isinf(minus) != 0, isfinite(one) != 0, signbit(-0.0) != 0);
    printf("%g %g\n", -0.0, 1 / -inf);
    printf("%d %d\n", !(nan < 1) && !(nan >= 1), nan ? 1 : 0);
    float tiny = 1e-45f;
    printf("%g %g\n", tiny, tiny / 2);
    printf("%d %d %d\n", isless(one, inf), isunordered(one, nan), isgreaterequal(nan, one));
    printf("%g %g %g\n", fmax(nan, 1), fmin(-0.5, inf), copysign(3, -0.0));
    return 0;
}
