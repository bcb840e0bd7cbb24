// Callbacks with a context, kept in structs: objects in C.
#include <stdio.h>

struct shape;
struct methods { double (*area)(const struct shape *); void (*scale)(struct shape *, double); const char *name; };
struct shape { const struct methods *methods; double a, b; };

static double rectangle_area(const struct shape *s) { return s->a * s->b; }
static double circle_area(const struct shape *s) { return 3 * s->a * s->a; }
static void scale_both(struct shape *s, double by) { s->a *= by; s->b *= by; }
static void scale_first(struct shape *s, double by) { s->a *= by; }
static const struct methods rectangle = {rectangle_area, scale_both, "rectangle"};
static const struct methods circle = {circle_area, scale_first, "circle"};

static void each(struct shape *shapes, int n, void (*visit)(struct shape *, void *), void *context) {
    for (int i = 0; i < n; i++) visit(&shapes[i], context);
}

static void grow(struct shape *s, void *by) { s->methods->scale(s, *(double *)by); }
static void total(struct shape *s, void *sum) {
    *(double *)sum += s->methods->area(s);
    printf("%s %g\n", s->methods->name, s->methods->area(s));
}

int main(void) {
    struct shape shapes[] = {{&rectangle, 2, 3}, {&circle, 1, 0}, {&rectangle, 4, 0.5}};
    double sum = 0, by = 2;
    each(shapes, 3, total, &sum);
    each(shapes, 3, grow, &by);
    each(shapes, 3, total, &sum);
    printf("%g\n", sum);
    return 0;
}
