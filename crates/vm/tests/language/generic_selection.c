// _Generic, _Static_assert, typeof, statement expressions, sizeof without evaluation.
#include <stdio.h>

#define KIND(x) _Generic((x), char: "char", int: "int", unsigned: "unsigned", long: "long", float: "float", \
    double: "double", char *: "string", const char *: "constant string", int *: "pointer", default: "other")
#define MAXIMUM(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define SWAP(a, b) do { __typeof__(a) t = (a); (a) = (b); (b) = t; } while (0)

_Static_assert(sizeof(int) == 4, "int has 32 bits");
struct opaque { int n; };

static int counted(int *n) { return ++*n; }

int main(void) {
    char c = 'c';
    int i = 1, *p = &i;
    struct opaque o = {1};
    printf("%s %s %s %s %s\n", KIND(c), KIND(c + 1), KIND(1u), KIND(1L), KIND(1.0f));
    printf("%s %s %s %s %s\n", KIND(1.0), KIND("s"), KIND(p), KIND(o), KIND((const char *)"s"));
    _Static_assert(_Generic(1 ? 1 : 1L, long: 1, default: 0), "promoted");
    int calls = 0;
    printf("%d %g\n", MAXIMUM(calls++, -5), MAXIMUM(1.5, 2));
    printf("%d\n", calls);
    double x = 1.5, y = -2;
    SWAP(x, y);
    printf("%g %g\n", x, y);
    int n = ({ int sum = 0; for (int k = 1; k <= 10; k++) sum += k; sum; });
    printf("%d %d\n", n, ({ if (n > 50) n = 50; n; }) + 1);
    size_t size = sizeof(counted(&calls));
    size += (size_t)counted(&calls);
    printf("%zu %d\n", size, calls);
    __typeof__(int[3]) array = {1, 2, 3};
    printf("%zu %d\n", sizeof array, array[2]);
    return 0;
}
