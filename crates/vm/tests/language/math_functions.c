// The functions of math.h whose results are exact, and some that are rounded.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    double values[] = {0, 0.5, -0.5, 1.5, 2.5, -2.7, 1e6 + 0.25};
    for (int i = 0; i < 7; i++) {
        double v = values[i];
        printf("%g %g %g %g %g %.10g\n", floor(v), ceil(v), trunc(v), round(v), fabs(v), sqrt(fabs(v)));
        printf("%ld %g %g\n", lround(v), rint(v), fmod(v, 0.75));
    }
    printf("%g %g %g %g\n", pow(2, 10), pow(2, -1), pow(9, 0.5), pow(-3, 3));
    printf("%.6f %.6f %.6f %.6f\n", sin(1), cos(1), tan(1), atan2(1, -1));
    printf("%.6f %.6f %.6f %.6f\n", exp(1), log(10), log2(8), log10(1000));
    printf("%g %g %g\n", hypot(3, 4), fmax(1, 2), fmin(1, 2));
    printf("%g %g\n", (double)sqrtf(2.25f), (double)fabsf(-1.5f));
    int exponent;
    double mantissa = frexp(48, &exponent), whole, part = modf(3.75, &whole);
    printf("%g %d %g %g %g\n", mantissa, exponent, part, whole, ldexp(0.75, 4));
    printf("%g %g\n", fma(2, 3, 4), cbrt(27));
    return 0;
}
