// Attributes that change what is executed: cleanup, noreturn, malloc-like functions, expectations, unreachable code.
#include <stdio.h>
#include <stdlib.h>

static int depth;
static void leave(int *n) { printf("leave %d ", *n); depth--; }
static void release(char **p) { printf("release %s\n", *p); free(*p); }
#define SCOPED __attribute__((cleanup(leave), unused)) int

static int nested(int n) {
    SCOPED here = n;
    depth++;
    if (n == 0) return depth;
    for (int i = 0; i < 2; i++) {
        SCOPED inner = 100 + i;
        depth++;
        if (i == 1) break;
    }
    return nested(n - 1);
}

_Noreturn static void finish(int status) { printf("finish\n"); exit(status); }

static int sign(int n) {
    switch ((n > 0) - (n < 0)) {
    case -1: return 'n';
    case 0: return 'z';
    case 1: return 'p';
    default: __builtin_unreachable();
    }
}

__attribute__((returns_nonnull, warn_unused_result)) static char *make(char c) {
    char *p = malloc(2);
    p[0] = c, p[1] = '\0';
    return p;
}

int main(void) {
    int result = nested(2);
    printf("\n%d %d\n", result, depth);
    {
        __attribute__((cleanup(release))) char *a = make('a');
        __attribute__((cleanup(release))) char *b = make('b');
        printf("%s%s\n", a, b);
    }
    printf("%c%c%c\n", sign(-5), sign(0), sign(9));
    if (__builtin_expect(depth == 0, 1)) finish(3);
    return 0;
}
