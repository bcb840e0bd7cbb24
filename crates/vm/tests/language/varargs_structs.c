// Structs as variable arguments: in registers, of floats, and in memory; long double and 64-bit.
#include <stdarg.h>
#include <stdio.h>

struct pair { int a, b; };
struct two { long a, b; };
struct reals { double x, y; };
struct mixed { long n; double d; };
struct large { int values[7]; };

static void show(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'p': { struct pair p = va_arg(list, struct pair); printf("pair %d %d\n", p.a, p.b); break; }
        case 't': { struct two t = va_arg(list, struct two); printf("two %ld %ld\n", t.a, t.b); break; }
        case 'r': { struct reals r = va_arg(list, struct reals); printf("reals %g %g\n", r.x, r.y); break; }
        case 'm': { struct mixed m = va_arg(list, struct mixed); printf("mixed %ld %g\n", m.n, m.d); break; }
        case 'l': {
            struct large l = va_arg(list, struct large);
            printf("large %d %d\n", l.values[0], l.values[6]);
            break;
        }
        case 'i': printf("int %d\n", va_arg(list, int)); break;
        case 'd': printf("double %g\n", va_arg(list, double)); break;
        }
    }
    va_end(list);
}

int main(void) {
    struct pair p = {1, -2};
    struct two t = {1L << 40, -5};
    struct reals r = {0.25, -4};
    struct mixed m = {77, 7.75};
    struct large l = {{1, 2, 3, 4, 5, 6, 7}};
    show("ptrml", p, t, r, m, l);
    show("ilidpdtlrim", 1, l, 2, 2.5, p, 3.5, t, l, r, 3, m);
    show("rrrrrpppppp", r, r, r, r, r, p, p, p, p, p, p);
    return 0;
}
