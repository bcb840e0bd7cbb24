// Integers of 128 bits: arithmetic, shifts, comparison, conversion, as arguments and in structs.
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;
struct with { char c; u128 n; };

static void print(const char *name, u128 n) {
    char digits[40];
    int at = 39;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + (int)(n % 10)); while (n /= 10);
    printf("%s %s\n", name, digits + at);
}

static u128 power(u128 base, unsigned n) { return n == 0 ? 1 : base * power(base, n - 1); }
static struct with wrap(char c, u128 n) { return (struct with){c, n}; }

int main(void) {
    u128 max = ~(u128)0;
    print("max", max);
    print("power", power(10, 38));
    print("product", (u128)UINT64_MAX * UINT64_MAX);
    print("quotient", max / 1000000007);
    print("remainder", max % power(7, 40));
    print("shifted", max >> 77);
    print("left", (u128)5 << 100);
    i128 minus = -(i128)power(3, 70);
    print("negated", (u128)-minus);
    printf("%d %d %d\n", minus < 0, (u128)minus > max / 2, minus / 3 * 3 == minus);
    printf("%llx %llx\n", (unsigned long long)((u128)minus >> 64), (unsigned long long)minus);
    printf("%lld\n", (long long)(minus >> 90));
    printf("%.10g %.10g\n", (double)max, (double)minus);
    print("from double", (u128)1e30);
    struct with w = wrap('w', power(2, 127));
    print("member", w.n + (unsigned char)w.c);
    printf("%zu %zu\n", sizeof w, _Alignof(u128));
    return 0;
}
