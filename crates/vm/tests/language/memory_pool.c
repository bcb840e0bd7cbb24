// A pool with a free list inside its own blocks, and an arena that hands out aligned pieces.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

union block { union block *next; struct { int id; char text[12]; } item; };
static union block pool[8], *available;

static union block *take(void) {
    union block *b = available;
    if (b) available = b->next;
    return b;
}
static void give(union block *b) { b->next = available, available = b; }

static _Alignas(max_align_t) unsigned char arena[256];
static size_t used;

static void *allocate(size_t size, size_t alignment) {
    size_t from = (used + alignment - 1) & ~(alignment - 1);
    if (from + size > sizeof arena) return NULL;
    used = from + size;
    return arena + from;
}

int main(void) {
    for (int i = 8; i-- > 0;) give(&pool[i]);
    union block *mine[10];
    int count = 0;
    while ((mine[count] = take())) {
        mine[count]->item.id = count;
        snprintf(mine[count]->item.text, sizeof mine[count]->item.text, "block %d", count);
        count++;
    }
    printf("%d\n", count);
    give(mine[3]), give(mine[5]);
    union block *again = take();
    again->item.id = 50;
    strcpy(again->item.text, "reused");
    for (int i = 0; i < 8; i++)
        if (i != 3) printf("%d %s\n", pool[i].item.id, pool[i].item.text);
    char *c = allocate(3, 1);
    double *d = allocate(2 * sizeof *d, sizeof *d);
    short *s = allocate(sizeof *s, sizeof *s);
    strcpy(c, "ab"), d[0] = 1.5, d[1] = 2.5, *s = -7;
    printf("%s %g %d %td %td %zu\n", c, d[0] + d[1], *s, (unsigned char *)d - arena, (unsigned char *)s - arena, used);
    printf("%d\n", allocate(250, 1) == NULL);
    return 0;
}
