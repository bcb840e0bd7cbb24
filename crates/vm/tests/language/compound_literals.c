// Compound literals: arrays, structs, their addresses, and as arguments.
#include <stdio.h>

struct point { int x, y; };
struct tree { int value; struct tree *left, *right; };

static struct point *origin = &(struct point){3, 4};
static int *squares = (int[]){0, 1, 4, 9};

static int sum(const int *numbers) {
    int total = 0;
    while (*numbers) total += *numbers++;
    return total;
}
static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int move(struct point *p, int by) { p->x += by; return p->x; }
static int total(const struct tree *t) { return t ? t->value + total(t->left) + total(t->right) : 0; }

int main(void) {
    printf("%d %d\n", sum((int[]){1, 2, 3, 0}), norm((struct point){.y = 2, .x = 5}));
    printf("%d %d\n", norm(*origin), squares[3]);
    origin->x++;
    printf("%d %d\n", origin->x, move(&(struct point){10, 0}, 5));
    struct tree *t = &(struct tree){1, &(struct tree){2, NULL, &(struct tree){3, NULL, NULL}}, &(struct tree){4, NULL, NULL}};
    printf("%d\n", total(t));
    for (int i = 0; i < 3; i++) {
        int *fresh = (int[2]){i};
        fresh[1] += i;
        printf("%d%d ", fresh[0], fresh[1]);
    }
    const char *name = (const char *[]){"zero", "one", "two"}[norm((struct point){1, 0})];
    printf("%s %d\n", name, (int){5} + (char){1});
    return 0;
}
