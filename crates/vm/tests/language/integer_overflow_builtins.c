// The builtins that tell of overflow, in several widths.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int pairs[][2] = {{1, 2}, {INT_MAX, 1}, {INT_MIN, -1}, {65536, 65536}, {-46341, 46341}, {INT_MIN, 0}};
    for (int i = 0; i < 6; i++) {
        int a = pairs[i][0], b = pairs[i][1], sum, difference, product;
        int x = __builtin_add_overflow(a, b, &sum), y = __builtin_sub_overflow(a, b, &difference),
            z = __builtin_mul_overflow(a, b, &product);
        printf("%d %d, %d %d, %d %d\n", x, sum, y, difference, z, product);
    }
    unsigned u;
    int over = __builtin_sub_overflow(3u, 5u, &u);
    printf("%d %u\n", over, u);
    unsigned char c;
    over = __builtin_add_overflow(200, 100, &c);
    printf("%d %u\n", over, c);
    int64_t l;
    over = __builtin_mul_overflow(3037000500LL, 3037000500LL, &l);
    printf("%d %lld\n", over, (long long)l);
    uint64_t ul;
    over = __builtin_umull_overflow(1UL << 32, 1UL << 31, &ul);
    printf("%d %llu\n", over, (unsigned long long)ul);
    short s;
    over = __builtin_sub_overflow(-32768, 1, &s);
    printf("%d %d\n", over, s);
    return 0;
}
