// Random numbers of our own: linear congruences, xorshift, a Mersenne-like twister in small.
#include <stdint.h>
#include <stdio.h>

static uint32_t congruential(uint32_t *s) { return *s = *s * 1664525u + 1013904223u; }
static uint64_t xorshift(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    return *s ^= *s << 17;
}
static uint64_t multiply_high(uint64_t *s) {
    unsigned __int128 p = (unsigned __int128)(*s += 0x9e3779b97f4a7c15) * 0xd1342543de82ef95;
    return (uint64_t)(p >> 64) ^ (uint64_t)p;
}
static uint32_t below(uint32_t *s, uint32_t n) { return (uint32_t)((uint64_t)congruential(s) * n >> 32); }

int main(void) {
    uint32_t a = 1;
    uint64_t b = 88172645463325252, c = 1;
    for (int i = 0; i < 4; i++)
        printf("%u %llu %llu\n", congruential(&a), (unsigned long long)xorshift(&b), (unsigned long long)multiply_high(&c));
    int histogram[6] = {0}, deck[10];
    for (int i = 0; i < 600; i++) histogram[below(&a, 6)]++;
    for (int i = 0; i < 6; i++) printf("%d ", histogram[i]);
    for (int i = 0; i < 10; i++) deck[i] = i;
    for (uint32_t i = 9; i > 0; i--) {
        uint32_t j = below(&a, i + 1);
        int t = deck[i];
        deck[i] = deck[j], deck[j] = t;
    }
    printf("| ");
    for (int i = 0; i < 10; i++) printf("%d ", deck[i]);
    printf("\n%.10f\n", (double)(xorshift(&b) >> 11) / 9007199254740992.0);
    return 0;
}
