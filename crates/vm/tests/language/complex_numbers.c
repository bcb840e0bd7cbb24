// _Complex: arithmetic in both precisions, conversions, comparison, parts.
#include <complex.h>
#include <stdio.h>

static double complex square(double complex z) { return z * z; }
static float complex scale(float complex z, float by) { return z * by; }

int main(void) {
    double complex a = 1 + 2 * I, b = 3 - 0.5 * I;
    double complex c = a + b, d = a * b, e = a - b, f = a * 0.5;
    printf("%g %g, %g %g, %g %g, %g %g\n", creal(c), cimag(c), creal(d), cimag(d), creal(e), cimag(e), creal(f), cimag(f));
    printf("%g %g\n", creal(square(a)), cimag(square(a)));
    float complex s = scale(1.5f - 2.5f * I, 2);
    printf("%g %g\n", crealf(s), cimagf(s));
    printf("%d %d\n", a == b, a == 1 + 2 * I);
    __real__ a = 10;
    a += 5 * I;
    double complex k = conj(a);
    printf("%g %g %g\n", __real__ a, __imag__ a, cimag(k));
    double complex array[2] = {a, -b};
    double r = array[1];
    printf("%g %zu\n", r, sizeof array);
    return 0;
}
