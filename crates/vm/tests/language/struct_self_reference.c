// Structs that point at each other and at themselves, declared before they are complete.
#include <stdio.h>

struct b;
struct a { int n; struct b *other; struct a *self; };
struct b { double d; struct a *back; struct b *(*next)(struct b *); };

static struct b *step(struct b *b) { b->d += 0.5; return b->back->other; }

static struct a first;
static struct b second = {1.25, &first, step};
static struct a first = {3, &second, &first};

int main(void) {
    struct b *b = first.self->self->other;
    for (int i = 0; i < 4; i++) b = b->next(b);
    printf("%d %g %d\n", b->back->n, second.d, first.self == &first);
    struct a local = first;
    local.self = &local;
    local.n = 9;
    second.back = &local;
    printf("%d %d\n", first.other->back->n, second.back->self->n);
    return 0;
}
