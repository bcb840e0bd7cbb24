// Shifts of all widths by constants and variables, arithmetic and logical.
#include <stdint.h>
#include <stdio.h>

static uint32_t rotate(uint32_t x, unsigned by) { return x << (by & 31) | x >> (-by & 31); }

int main(void) {
    for (int i = 0; i < 32; i += 5) printf("%x %x %d\n", 1u << i, 0x80000000u >> i, -1000000 >> i);
    for (int i = 0; i < 64; i += 13)
        printf("%llx %llx %lld\n", 3ULL << i, 0xf000000000000000ULL >> i, (-(1LL << 50)) >> i);
    uint8_t b = 0x96;
    int8_t s = (int8_t)0x96;
    printf("%x %x %d %d\n", (uint8_t)(b << 3), b >> 3, s >> 3, b << 8);
    uint16_t h = 0x8001;
    h <<= 1;
    printf("%x\n", h);
    for (unsigned i = 0; i < 40; i += 9) printf("%08x ", rotate(0x12345678, i));
    printf("\n");
    uint64_t packed = 0;
    for (unsigned i = 0; i < 8; i++) packed |= (uint64_t)(i * 37 & 0xff) << (8 * i);
    printf("%016llx\n", (unsigned long long)packed);
    int64_t field = (int64_t)(packed << 20) >> 44;
    printf("%lld\n", (long long)field);
    return 0;
}
