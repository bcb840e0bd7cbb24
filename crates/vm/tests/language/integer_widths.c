// All integer types: their limits, wrap-around of the unsigned ones, truncation and extension.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    printf("%d %d %d %d\n", SCHAR_MIN, SCHAR_MAX, SHRT_MIN, USHRT_MAX);
    printf("%d %d %u %ld %lu\n", INT_MIN, INT_MAX, UINT_MAX, LONG_MIN, ULONG_MAX);
    printf("%zu %zu %zu %zu %zu\n", sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(long long));
    uint8_t u8 = 200;
    uint16_t u16 = 65000;
    uint32_t u32 = 4000000000u;
    uint64_t u64 = 18000000000000000000u;
    u8 += 100, u16 += 1000, u32 += 500000000, u64 += 1000000000000000000u;
    printf("%u %u %u %llu\n", u8, u16, u32, (unsigned long long)u64);
    u8 -= 100, u16 -= 1000, u32 -= 500000000, u64 -= 1000000000000000000u;
    printf("%u %u %u %llu\n", u8, u16, u32, (unsigned long long)u64);
    u8 *= 77, u16 *= 777, u32 *= 77777, u64 *= 77777777;
    printf("%u %u %u %llu\n", u8, u16, u32, (unsigned long long)u64);
    int64_t big = 0x123456789abcdef0;
    printf("%d %d %d\n", (int8_t)big, (int16_t)big, (int32_t)big);
    printf("%x %x %x\n", (uint8_t)big, (uint16_t)big, (uint32_t)big);
    int8_t minus = -100;
    printf("%d %u %u %lld %llu\n", minus, (uint8_t)minus, (uint32_t)minus, (long long)minus, (unsigned long long)minus);
    printf("%d %d %d\n", (int8_t)(u8 + 130), minus == (int)(uint8_t)minus, (int8_t)(uint8_t)minus == minus);
    uint32_t zero = 0;
    printf("%u %u %d\n", zero - 1, -zero, zero - 1 > 0);
    return 0;
}
