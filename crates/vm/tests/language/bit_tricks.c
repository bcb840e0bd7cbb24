// Counting, reversing, spreading and searching bits, by hand and by builtins.
#include <stdint.h>
#include <stdio.h>

static unsigned count(uint32_t x) { unsigned n = 0; for (; x; x &= x - 1) n++; return n; }
static uint32_t reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
}
static uint32_t up_to_power(uint32_t x) {
    x--;
    for (int s = 1; s < 32; s *= 2) x |= x >> s;
    return x + 1;
}
static uint64_t spread(uint32_t x) {
    uint64_t y = x;
    y = (y | y << 16) & 0x0000ffff0000ffff;
    y = (y | y << 8) & 0x00ff00ff00ff00ff;
    y = (y | y << 4) & 0x0f0f0f0f0f0f0f0f;
    y = (y | y << 2) & 0x3333333333333333;
    return (y | y << 1) & 0x5555555555555555;
}

int main(void) {
    uint32_t samples[] = {1, 0x80000000, 0x12345678, 0xffffffff, 0x00ff00f0, 12345};
    for (int i = 0; i < 6; i++) {
        uint32_t x = samples[i];
        printf("%u %u %08x %x %016llx\n", count(x), __builtin_popcount(x), reverse(x), up_to_power(x & 0xffffff),
               (unsigned long long)spread(x));
        printf("%d %d %d %d %d %08x\n", __builtin_clz(x), __builtin_ctz(x), __builtin_ffs((int)x),
               __builtin_parity(x), __builtin_clzll(x), __builtin_bswap32(x));
    }
    printf("%d %d %llx %x\n", __builtin_popcountll(0xf0f0f0f0f0f0f0f0), __builtin_ctzll(1ULL << 45),
           (unsigned long long)__builtin_bswap64(0x0102030405060708), __builtin_bswap16(0x1234));
    uint32_t crc = ~0u;
    for (const char *p = "123456789"; *p; p++) {
        crc ^= (unsigned char)*p;
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    }
    printf("%08x\n", ~crc);
    return 0;
}
