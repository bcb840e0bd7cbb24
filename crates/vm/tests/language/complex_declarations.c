// Declarations that are read from the inside out, typedefs of them, and casts between function types.
#include <stdio.h>

typedef int binary(int, int);
typedef binary *choose(char);
typedef int row[3];

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static binary *pick(char c) { return c == '+' ? add : sub; }
static int (*(*nested(int n))[2])(int, int) {
    static binary *pairs[2][2] = {{add, sub}, {sub, add}};
    return &pairs[n];
}
static row *rows(void) {
    static row table[2] = {{1, 2, 3}, {4, 5, 6}};
    return table;
}
static int apply(binary f, int a, int b) { return f(a, b); }
static int unprototyped(void) { return 8; }

int main(void) {
    choose *chooser = pick;
    printf("%d %d\n", chooser('+')(7, 3), (*chooser)('-')(7, 3));
    printf("%d %d\n", (*nested(0))[1](10, 4), (*nested(1))[1](10, 4));
    printf("%d %d\n", rows()[1][0], (*(rows() + 1))[2]);
    printf("%d\n", apply(pick('-'), 1, 2));
    binary *(*const choosers[])(char) = {pick, pick};
    printf("%d\n", choosers[1]('+')(100, 1));
    void (*generic)(void) = (void (*)(void))add;
    printf("%d\n", ((int (*)(int, int))generic)(20, 22));
    int (*f)(void) = unprototyped;
    printf("%d %d\n", f(), (***f)());
    char *(*table[2])[3];
    char *first[3] = {"a", "b", "c"}, *second[3] = {"x", "y", "z"};
    table[0] = &first, table[1] = &second;
    printf("%s%s\n", (*table[0])[1], (*table[1])[2]);
    return 0;
}
