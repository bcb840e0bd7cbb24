// Sizes, offsets and alignments; packed structs; members at odd addresses.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct loose { char a; double b; char c; int d; short e; };
struct __attribute__((packed)) tight { char a; double b; char c; int d; short e; };
struct tail { long l; char c; };
struct holder { char c; struct tail t; };

int main(void) {
    printf("%zu: %zu %zu %zu %zu %zu\n", sizeof(struct loose), offsetof(struct loose, a), offsetof(struct loose, b),
           offsetof(struct loose, c), offsetof(struct loose, d), offsetof(struct loose, e));
    printf("%zu: %zu %zu %zu %zu %zu\n", sizeof(struct tight), offsetof(struct tight, a), offsetof(struct tight, b),
           offsetof(struct tight, c), offsetof(struct tight, d), offsetof(struct tight, e));
    printf("%zu %zu %zu\n", sizeof(struct tail), sizeof(struct holder), offsetof(struct holder, t));
    printf("%zu %zu\n", _Alignof(struct loose), _Alignof(struct tight));
    struct tight t = {'a', 1.5, 'c', 1 << 20, -3};
    unsigned char bytes[sizeof t];
    memcpy(bytes, &t, sizeof t);
    for (size_t i = 0; i < sizeof t; i++) printf("%02x ", bytes[i]);
    printf("\n");
    struct tight array[3] = {t, t, t};
    array[1].b *= 2;
    array[2].d -= 1;
    printf("%g %g %d %d\n", array[0].b, array[1].b, array[1].d, array[2].d);
    return 0;
}
