// Bit fields over the borders of storage units, zero widths, packed, wider than int, and bool.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct crossing { unsigned a : 20, b : 20, c : 20; };
struct broken { unsigned a : 4; unsigned : 0; unsigned b : 4; };
struct __attribute__((packed)) tight { unsigned a : 5; uint64_t b : 37; unsigned c : 11; bool d : 1; };
struct small { unsigned char a : 3, b : 6; bool c : 1; };

static void dump(const void *p, size_t n) {
    const unsigned char *bytes = p;
    for (size_t i = 0; i < n; i++) printf("%02x", bytes[i]);
    printf(" (%zu)\n", n);
}

int main(void) {
    struct crossing c;
    memset(&c, 0, sizeof c);
    c.a = 0xfffff, c.b = 0x12345, c.c = 0xabcde;
    dump(&c, sizeof c);
    struct broken b;
    memset(&b, 0, sizeof b);
    b.a = 9, b.b = 6;
    dump(&b, sizeof b);
    struct tight t;
    memset(&t, 0, sizeof t);
    t.a = 21, t.b = 0x1234567890ULL, t.c = 0x5a5, t.d = 1;
    dump(&t, sizeof t);
    t.b += 0x1111111111ULL;
    t.d = t.a > 20;
    printf("%u %llx %x %d\n", t.a, (unsigned long long)t.b, t.c, t.d);
    struct small s;
    memset(&s, 0, sizeof s);
    s.a = 5, s.b = 42, s.c = 4 > 3;
    dump(&s, sizeof s);
    return 0;
}
