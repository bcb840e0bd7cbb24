// char, signed char and unsigned char: comparison, extension, as indices, and bool.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char c = (char)0xe4;
    signed char s = (signed char)0xe4;
    unsigned char u = 0xe4;
    printf("%d %d %d\n", c == s, c == u, s == u);
    printf("%d %d %u\n", s, u, (unsigned)s);
    printf("%d\n", (c < 0) == ((char)-1 < 0));
    unsigned counts[256] = {0};
    const char *text = "\xe4\xff\x01\xe4 text";
    for (const char *p = text; *p; p++) counts[(unsigned char)*p]++;
    printf("%u %u %u %u\n", counts[0xe4], counts[0xff], counts['t'], counts[0]);
    printf("%d %d\n", strcmp("\xff", "a") > 0, memcmp("\x80", "\x7f", 1) > 0);
    bool b = 256;
    b += 5;
    double fraction = 0.5;
    bool half = fraction;
    bool pointer = text;
    printf("%d %d %d %d\n", b, half, pointer, !b);
    b--;
    printf("%d %zu %d\n", b, sizeof(bool), (bool)(char)256);
    printf("%d %d %d %zu\n", 'A', '\n', '\377' == (char)255, sizeof 'A');
    s = 127;
    s++;
    printf("%d %d\n", s, (signed char)(s - 1));
    return 0;
}
