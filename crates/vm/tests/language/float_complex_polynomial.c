// Complex numbers as structs of floats, polynomials, and a small fast Fourier transform with exact roots.
#include <stdio.h>

struct complex { float re, im; };

static struct complex add(struct complex a, struct complex b) { return (struct complex){a.re + b.re, a.im + b.im}; }
static struct complex sub(struct complex a, struct complex b) { return (struct complex){a.re - b.re, a.im - b.im}; }
static struct complex mul(struct complex a, struct complex b) {
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void transform4(const struct complex *in, struct complex *out) {
    const struct complex minus_i = {0, -1};
    struct complex a = add(in[0], in[2]), b = sub(in[0], in[2]), c = add(in[1], in[3]), d = sub(in[1], in[3]);
    out[0] = add(a, c);
    out[1] = add(b, mul(minus_i, d));
    out[2] = sub(a, c);
    out[3] = sub(b, mul(minus_i, d));
}

static double horner(const double *coefficients, int n, double x) {
    double y = 0;
    while (n--) y = y * x + coefficients[n];
    return y;
}

int main(void) {
    struct complex in[4] = {{1, 0}, {2, -1}, {0, -1}, {-1, 2}}, out[4];
    transform4(in, out);
    for (int i = 0; i < 4; i++) printf("%g%+gi ", out[i].re, out[i].im);
    printf("\n");
    struct complex z = {0, 0}, c = {-0.5f, 0.25f};
    for (int i = 0; i < 10; i++) z = add(mul(z, z), c);
    printf("%.6f %.6f\n", z.re, z.im);
    const double p[] = {1, -3, 0, 2};
    for (int x = -2; x <= 2; x++) printf("%g ", horner(p, 4, x / 2.0));
    printf("\n");
    return 0;
}
