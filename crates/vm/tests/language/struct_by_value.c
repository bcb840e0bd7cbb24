// Structs of many sizes as arguments and results: in registers, in pairs of registers, in memory.
#include <stdio.h>

struct one { char c; };
struct three { char a, b, c; };
struct eight { int a, b; };
struct twelve { int a, b, c; };
struct sixteen { long a; char b; };
struct floats { float a, b, c; };
struct mixed { double d; int i; };
struct big { int values[10]; };

static struct one next_one(struct one s) { s.c++; return s; }
static struct three rotate(struct three s) { return (struct three){s.b, s.c, s.a}; }
static struct eight swap(struct eight s) { return (struct eight){s.b, s.a}; }
static struct twelve add(struct twelve s, struct twelve t) { return (struct twelve){s.a + t.a, s.b + t.b, s.c + t.c}; }
static struct sixteen both(struct sixteen s, int by) { s.a *= by; s.b = (char)(s.b + by); return s; }
static struct floats halve(struct floats s) { s.a /= 2; s.b /= 2; s.c /= 2; return s; }
static struct mixed negate(struct mixed s) { return (struct mixed){-s.d, -s.i}; }
static struct big fill(struct big s, int from) { for (int i = 0; i < 10; i++) s.values[i] += from + i; return s; }

int main(void) {
    printf("%c\n", next_one((struct one){'x'}).c);
    struct three t = rotate(rotate((struct three){'a', 'b', 'c'}));
    printf("%c%c%c\n", t.a, t.b, t.c);
    struct eight e = swap((struct eight){-1, 2});
    printf("%d %d\n", e.a, e.b);
    struct twelve w = add((struct twelve){1, 2, 3}, (struct twelve){10, 20, 30});
    printf("%d %d %d\n", w.a, w.b, w.c);
    struct sixteen s = both((struct sixteen){1L << 40, 'a'}, 3);
    printf("%ld %c\n", s.a, s.b);
    struct floats f = halve((struct floats){1, 2, 3});
    printf("%g %g %g\n", f.a, f.b, f.c);
    struct mixed m = negate((struct mixed){2.5, 7});
    printf("%g %d\n", m.d, m.i);
    struct big b = {{1}}, c = fill(fill(b, 100), 1000);
    for (int i = 0; i < 10; i++) printf("%d/%d ", b.values[i], c.values[i]);
    printf("\n");
    return 0;
}
