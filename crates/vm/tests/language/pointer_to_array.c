// Pointers to arrays, arrays of pointers, and pointers into the middle of structs.
#include <stddef.h>
#include <stdio.h>

struct row { int id; char cells[4]; };
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

static char (*cells_of(struct row *r))[4] { return &r->cells; }

int main(void) {
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int(*row)[3] = grid;
    int *columns[3] = {&grid[0][0], &grid[0][1], &grid[0][2]};
    int(*whole)[2][3] = &grid;
    printf("%d %d %d\n", row[1][2], *columns[2], (*whole)[1][0]);
    printf("%zu %zu %zu\n", sizeof *row, sizeof columns, sizeof *whole);
    printf("%td\n", (char *)(row + 1) - (char *)row);
    struct row rows[2] = {{1, "abc"}, {2, "xyz"}};
    (*cells_of(&rows[1]))[1] = 'Q';
    printf("%s\n", rows[1].cells);
    char *middle = &rows[1].cells[0];
    printf("%d\n", container_of(middle, struct row, cells)->id);
    int *p = columns[0];
    columns[0] = columns[1];
    columns[1] = p;
    *columns[0] = 99;
    printf("%d %d\n", grid[0][0], grid[0][1]);
    return 0;
}
