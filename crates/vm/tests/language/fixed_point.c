// Fixed-point arithmetic with 16 fractional bits: products, quotients, square roots, sines.
#include <stdint.h>
#include <stdio.h>

typedef int32_t fixed;
#define FIXED(x) ((fixed)((x)*65536))

static fixed mul(fixed a, fixed b) { return (fixed)(((int64_t)a * b + 0x8000) >> 16); }
static fixed quotient(fixed a, fixed b) { return (fixed)((int64_t)a * 65536 / b); }

static fixed root(fixed x) {
    uint64_t n = (uint64_t)x << 16, r = 0;
    for (uint64_t bit = 1ULL << 46; bit; bit >>= 2) {
        if (n >= r + bit) n -= r + bit, r = (r >> 1) + bit;
        else r >>= 1;
    }
    return (fixed)r;
}

static fixed sine(fixed x) {
    fixed term = x, sum = x;
    for (int k = 1; k < 6; k++) {
        term = -mul(mul(term, x), x) / (2 * k * (2 * k + 1));
        sum += term;
    }
    return sum;
}

static void print(fixed x) {
    uint32_t magnitude = x < 0 ? -(uint32_t)x : (uint32_t)x;
    printf("%s%u.%04u ", x < 0 ? "-" : "", magnitude >> 16, (unsigned)((uint64_t)(magnitude & 0xffff) * 10000 >> 16));
}

int main(void) {
    print(mul(FIXED(1.5), FIXED(-2.25)));
    print(quotient(FIXED(10), FIXED(3)));
    print(quotient(FIXED(-1), FIXED(7)));
    for (int i = 1; i < 5; i++) print(root(i << 16));
    printf("\n");
    for (int i = -4; i <= 4; i++) print(sine(FIXED(0.5) * i));
    printf("\n");
    return 0;
}
