// Division and remainder with all signs and widths.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int numbers[] = {7, -7, 8, -8, 0, INT_MAX, INT_MIN + 1}, divisors[] = {3, -3, 1, 8, -100, INT_MAX};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 6; j++) printf("%d,%d ", numbers[i] / divisors[j], numbers[i] % divisors[j]);
        printf("\n");
    }
    unsigned u = 4000000000u;
    unsigned long long ull = 0xfedcba9876543210ULL;
    printf("%u %u %llu %llu\n", u / 7, u % 7, ull / 1000000007, ull % 1000000007);
    printf("%lld %lld\n", (long long)ull / 1000000007, (long long)ull % 1000000007);
    signed char c = -128;
    short s = -32768;
    printf("%d %d %d\n", c / -1, s / -1, c % 100);
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(10000000000L, 7);
    printf("%d %d %ld %ld\n", d.quot, d.rem, l.quot, l.rem);
    printf("%d %ld %lld\n", abs(-5), labs(-6000000000L), llabs(7));
    return 0;
}
