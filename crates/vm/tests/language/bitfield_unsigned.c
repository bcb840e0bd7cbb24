// Unsigned bit fields: wrap-around, neighbours stay as they are.
#include <stdio.h>
#include <string.h>

struct flags { unsigned a : 1, b : 3, c : 7, d : 13, e : 8; };

static void show(const struct flags *f) {
    unsigned raw;
    memcpy(&raw, f, sizeof raw);
    printf("%u %u %u %u %u %08x\n", f->a, f->b, f->c, f->d, f->e, raw);
}

int main(void) {
    struct flags f = {1, 5, 100, 5000, 200};
    show(&f);
    for (int i = 0; i < 5; i++) {
        f.a++;
        f.b += 3;
        f.c -= 40;
        f.d *= 3;
        f.e <<= 1;
        show(&f);
    }
    f.c = f.d;
    f.d = ~f.e;
    show(&f);
    printf("%d %zu\n", f.b - 8 < 0, sizeof f);
    unsigned thirteen = f.e + 13 - f.e, assigned = (f.b = thirteen);
    printf("%u\n", assigned);
    return 0;
}
