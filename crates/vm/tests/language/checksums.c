// SHA-256 and Adler-32 of short texts.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t k[64], start[8];

static uint32_t fraction(int prime, int cube) {
    unsigned __int128 low = 0, high = (unsigned __int128)1 << 40;
    while (high - low > 1) {
        unsigned __int128 middle = (low + high) / 2;
        unsigned __int128 power = cube ? middle * middle * middle : middle * middle;
        if (power <= (unsigned __int128)prime << (cube ? 96 : 64)) low = middle;
        else high = middle;
    }
    return (uint32_t)low;
}
static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void block(uint32_t h[8], const unsigned char *p) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++, p += 4) w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t t = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t u = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += t, s[0] = t + u;
    }
    for (int i = 0; i < 8; i++) h[i] += s[i];
}

static void sha256(const char *text) {
    unsigned char last[64] = {0};
    size_t n = strlen(text);
    uint32_t h[8];
    memcpy(h, start, sizeof h);
    memcpy(last, text, n);
    last[n] = 0x80, last[62] = (unsigned char)(n * 8 >> 8), last[63] = (unsigned char)(n * 8);
    block(h, last);
    for (int i = 0; i < 8; i++) printf("%08x", h[i]);
    printf("\n");
}

int main(void) {
    for (int n = 2, found = 0; found < 64; n++) {
        int prime = 1;
        for (int d = 2; d * d <= n; d++) prime &= n % d != 0;
        if (!prime) continue;
        if (found < 8) start[found] = fraction(n, 0);
        k[found++] = fraction(n, 1);
    }
    printf("%08x %08x\n", start[0], k[63]);
    sha256("abc");
    sha256("");
    uint32_t a = 1, b = 0;
    for (const char *p = "Wikipedia"; *p; p++) a = (a + (unsigned char)*p) % 65521, b = (b + a) % 65521;
    printf("%08x\n", b << 16 | a);
    return 0;
}
