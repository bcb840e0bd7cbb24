#include <stdint.h>
#include <stdio.h>
typedef unsigned __int128 u128;
int main(void) {
    int8_t a = -128;
    uint8_t b = 200;
    int16_t c = (int16_t)(a * b);
    printf("%d %d %d %d\n", a, b, c, (int8_t)(b + b));
    printf("%d %d %d %d\n", -7 / 2, -7 % 2, -7 >> 1, (int)(((unsigned)-7) >> 28));
    uint64_t x = 0x123456789abcdef0ull;
    printf("%llx %llx\n", (unsigned long long)(x << 8), (unsigned long long)(x >> 12));
    u128 w = (u128)x * x + 12345;
    printf("%llx %llx\n", (unsigned long long)(w >> 64), (unsigned long long)w);
    w = w / 1000003u;
    printf("%llx %llx %d\n", (unsigned long long)(w >> 64), (unsigned long long)w, (int)(w % 97));
    __int128 s = -5;
    s = s * 3 - ((__int128)1 << 70);
    printf("%lld %d\n", (long long)(s >> 40), s < 0);
    double d = 1.0 / 3.0;
    float f = (float)d;
    printf("%.17g %.9g %d %u\n", d, f, (int)(d * 1e6), (unsigned)3.99);
    printf("%d %d %d\n", 0.1 + 0.2 == 0.3, (int)-2.7, (float)16777217 == 16777216.0f);
    printf("%d %d %d\n", __builtin_popcount(0xff0f), __builtin_clz(1), __builtin_ctz(64));
    int r;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r));
    printf("%d\n", r);
    unsigned u = 5;
    u -= 6;
    printf("%u %d %d\n", u, u > 3, (int)u < 3);
    printf("%d\n", (int)(x % 1000));
    printf("%d %d\n", 'a' < 'b', ~5 & 0xff);
    return 0;
}
