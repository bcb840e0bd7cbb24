// Integers of any size: factorials, powers, Fibonacci numbers, division by small numbers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 12 };
typedef struct { uint32_t limb[LIMBS]; } big;

static big from(uint32_t n) { return (big){{n}}; }

static big add(big a, const big *b) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a.limb[i] + b->limb[i];
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static big scale(big a, uint32_t by) {
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a.limb[i] * by;
        a.limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return a;
}

static uint32_t divide(big *a, uint32_t by) {
    uint64_t rest = 0;
    for (int i = LIMBS; i-- > 0;) {
        rest = rest << 32 | a->limb[i];
        a->limb[i] = (uint32_t)(rest / by);
        rest %= by;
    }
    return (uint32_t)rest;
}

static void print(big a) {
    static const big zero;
    char digits[128];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + divide(&a, 10)); while (memcmp(&a, &zero, sizeof a) != 0);
    puts(digits + at);
}

int main(void) {
    big f = from(1), p = from(1), x = from(0), y = from(1);
    for (uint32_t i = 1; i <= 60; i++) f = scale(f, i);
    for (int i = 0; i < 100; i++) p = scale(p, 3);
    for (int i = 0; i < 300; i++) {
        big z = add(x, &y);
        x = y, y = z;
    }
    print(f);
    print(p);
    print(x);
    uint32_t rest = divide(&f, 1000003);
    printf("%u\n", rest);
    print(from(0));
    return 0;
}
