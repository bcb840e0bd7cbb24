// _Alignas and _Alignof for globals, locals and members.
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static alignas(64) char line[100];
static char between = 'b';
static alignas(32) int number = 5;
struct padded { char c; alignas(16) int n; char d; };
struct __attribute__((aligned(128))) big { char c; };

static int aligned(const void *p, size_t to) { return (uintptr_t)p % to == 0; }

static int nested(int depth) {
    char odd = (char)depth;
    alignas(32) double d = depth;
    return aligned(&d, 32) + (depth ? nested(depth - 1) : 0) + (odd != depth);
}

int main(void) {
    alignas(16) char buffer[3] = "ab";
    alignas(double) char storage[sizeof(double)];
    *(double *)storage = 1.25;
    struct padded p[2] = {{'a', 1, 'b'}, {'c', 2, 'd'}};
    struct big big[2];
    big[1].c = 'z';
    printf("%d %d %d %d\n", aligned(line, 64), aligned(&number, 32), aligned(buffer, 16), aligned(&p[1].n, 16));
    printf("%zu %zu %zu %zu\n", sizeof(struct padded), offsetof(struct padded, n), alignof(struct padded), sizeof big);
    printf("%d %c %s %g %d %c\n", aligned(&big[1], 128), between, buffer, *(double *)storage, number, big[1].c);
    printf("%d %d %c\n", nested(10), p[0].n + p[1].n, p[1].d);
    return 0;
}
