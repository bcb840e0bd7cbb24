// Values deep inside of arrays of unions of structs, through macros, pointers and copies.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { uint8_t kind; union { struct { int16_t x, y; } point; struct { uint8_t r, g, b, a; } colour; float weight; } as; } item;
typedef struct { item items[2][3]; struct { const item *best; int index[2]; } result; } grid;

static void fill(grid *g) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            item *it = &g->items[i][j];
            it->kind = (uint8_t)((i + j) % 3);
            if (it->kind == 0) it->as.point.x = (int16_t)(i * 100), it->as.point.y = (int16_t)-j;
            if (it->kind == 1) it->as.colour.r = 1, it->as.colour.g = (uint8_t)(255 - i), it->as.colour.b = 3, it->as.colour.a = (uint8_t)j;
            if (it->kind == 2) it->as.weight = 0.5f * (float)(i + 1);
        }
}

static int score(const item *it) {
    switch (it->kind) {
    case 0: return it->as.point.x + it->as.point.y;
    case 1: return it->as.colour.r * 2 + it->as.colour.g * 3 + it->as.colour.b * 5 + it->as.colour.a * 7;
    default: return (int)(it->as.weight * 1000);
    }
}

int main(void) {
    grid g;
    memset(&g, 0, sizeof g);
    fill(&g);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) {
            const item *it = &g.items[i][j];
            printf("%d:%d ", it->kind, score(it));
            if (!g.result.best || score(it) > score(g.result.best))
                g.result.best = it, g.result.index[0] = i, g.result.index[1] = j;
        }
    printf("\n%d %d %zu %zu\n", g.result.index[0], g.result.index[1], sizeof(item), sizeof g.items);
    grid copy = g;
    copy.items[1][1] = copy.items[0][0];
    copy.items[0][0].as.point.y = -300;
    printf("%d %d %d\n", score(&copy.items[1][1]), score(&copy.items[0][0]), copy.result.best == &g.items[1][1]);
    return 0;
}
