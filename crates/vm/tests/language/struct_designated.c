// Designated initialisers: out of order, nested, over ranges, and overriding.
#include <stdio.h>

struct colour { unsigned char r, g, b; };
struct style { const char *name; struct colour ink, paper; int width[3]; };

static const struct style styles[] = {
    [2] = {.name = "warning", .ink = {.g = 200, .r = 255}},
    [0] = {.paper.b = 9, .name = "plain", .width = {1, 2, 3}},
    [3] = {.width[1] = 5, .name = "wide", .ink.g = 7},
};
static const char *const words[8] = {[1] = "one", "two", [6] = "six", "seven"};

int main(void) {
    for (unsigned i = 0; i < sizeof styles / sizeof *styles; i++) {
        const struct style *s = &styles[i];
        printf("%s: %d %d %d, %d, %d %d %d\n", s->name ? s->name : "(none)", s->ink.r, s->ink.g, s->ink.b,
               s->paper.b, s->width[0], s->width[1], s->width[2]);
    }
    for (int i = 0; i < 8; i++) printf("%s ", words[i] ? words[i] : "-");
    printf("\n");
    int table[10] = {[0 ... 3] = 1, [4 ... 7] = 2, [9] = 5};
    for (int i = 0; i < 10; i++) printf("%d", table[i]);
    printf("\n");
    return 0;
}
