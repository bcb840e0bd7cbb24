// The usual arithmetic conversions: promotion to int, signed against unsigned, ternaries, compound assignment.
#include <stdint.h>
#include <stdio.h>

static int compare(int a, unsigned b) { return (unsigned)a < b; }

int main(void) {
    unsigned char a = 200, b = 100;
    printf("%d %d %d\n", a + b, (unsigned char)(a + b), a - b - b - b);
    printf("%d %d\n", ~a, (unsigned char)~a);
    short s = -1;
    unsigned short us = 65535;
    printf("%d %d %d\n", s == us, (unsigned short)s == us, s < us);
    printf("%d %d\n", compare(-1, 1), compare(1, 2));
    long l = -1;
    unsigned u = 1;
    printf("%d %ld\n", l < u, l + u);
    printf("%zu %zu %zu %zu\n", sizeof(a + b), sizeof(1 ? a : 1L), sizeof(a << 1L), sizeof(+s));
    unsigned char c = 25;
    c += 1.5;
    printf("%d\n", c);
    int i = 10;
    i *= 2.55;
    i -= 'A';
    printf("%d\n", i);
    s = 100;
    s = (short)(s * 1000);
    printf("%d %d\n", s, (s >> 3) & us);
    uint64_t product = (uint64_t)us * us, small = (unsigned)us * us;
    printf("%llu %llu\n", (unsigned long long)product, (unsigned long long)small);
    printf("%d\n", (int)(1 ? -1 : 0u) == -1);
    return 0;
}
