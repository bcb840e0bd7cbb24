// Encodings: Caesar, run lengths, base 64, hexadecimal, UTF-8, Roman numbers.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void caesar(char *s, int by) {
    for (; *s; s++)
        if (*s >= 'a' && *s <= 'z') *s = (char)('a' + (*s - 'a' + by + 26) % 26);
}
static void runs(const char *s, char *out) {
    while (*s) {
        int n = 1;
        while (s[n] == *s) n++;
        out += sprintf(out, "%c%d", *s, n);
        s += n;
    }
}
static void base64(const unsigned char *in, size_t n, char *out) {
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = (uint32_t)in[i] << 16 | (i + 1 < n ? in[i + 1] : 0u) << 8 | (i + 2 < n ? in[i + 2] : 0u);
        *out++ = alphabet[v >> 18];
        *out++ = alphabet[v >> 12 & 63];
        *out++ = i + 1 < n ? alphabet[v >> 6 & 63] : '=';
        *out++ = i + 2 < n ? alphabet[v & 63] : '=';
    }
    *out = '\0';
}
static int utf8(uint32_t c, unsigned char *out) {
    if (c < 0x80) return out[0] = (unsigned char)c, 1;
    int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, c >>= 6) out[i] = (unsigned char)(0x80 | (c & 0x3f));
    out[0] = (unsigned char)(0xf0 << (4 - n) | c);
    return n;
}
static void roman(int n, char *out) {
    static const struct { int value; char text[3]; } digits[] = {{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"},
        {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}};
    *out = '\0';
    for (int i = 0; i < 13; i++)
        for (; n >= digits[i].value; n -= digits[i].value) strcat(out, digits[i].text);
}

int main(void) {
    char text[] = "hello, xyz", out[64];
    caesar(text, 3), puts(text), caesar(text, -3), puts(text);
    runs("aaabccdddd", out), puts(out);
    for (size_t n = 1; n < 8; n += 2) base64((const unsigned char *)"any carnal", n, out), puts(out);
    const uint32_t points[] = {0x41, 0xe9, 0x20ac, 0x1f600};
    for (int i = 0; i < 4; i++) {
        unsigned char bytes[4];
        int n = utf8(points[i], bytes);
        for (int k = 0; k < n; k++) printf("%02x", bytes[k]);
        printf(" %.*s\n", n, (const char *)bytes);
    }
    roman(1994, out), puts(out), roman(2026, out), puts(out);
    return 0;
}
