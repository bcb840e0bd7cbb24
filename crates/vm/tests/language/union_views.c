// The same bytes through members of different types.
#include <stdint.h>
#include <stdio.h>

union word {
    uint32_t whole;
    uint16_t halves[2];
    uint8_t bytes[4];
    float real;
    struct { uint32_t low : 4, middle : 20, high : 8; } parts;
};

int main(void) {
    union word w = {.whole = 0x12345678};
    printf("%x %x %x %x %x %x\n", w.halves[0], w.halves[1], w.bytes[0], w.bytes[1], w.bytes[2], w.bytes[3]);
    printf("%x %x %x\n", w.parts.low, w.parts.middle, w.parts.high);
    w.bytes[2] = 0xff;
    printf("%x\n", w.whole);
    w.real = 1.0f;
    printf("%x\n", w.whole);
    w.whole ^= 1u << 31;
    printf("%g\n", w.real);
    w.parts.middle = 0xabcde;
    printf("%x\n", w.whole);
    union { double d; uint64_t u; } d = {.d = -0.1};
    printf("%llx\n", (unsigned long long)d.u);
    d.u += 1;
    printf("%.20g\n", d.d);
    printf("%zu\n", sizeof(union word));
    return 0;
}
