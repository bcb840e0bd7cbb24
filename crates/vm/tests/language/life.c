// Conway's game of life on a torus, with boards on the heap that are swapped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char board[8][8];

static int neighbours(board *b, int y, int x) {
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) n += (dy || dx) && (*b)[(y + dy) & 7][(x + dx) & 7];
    return n;
}

static void step(board *from, board *to) {
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++) {
            int n = neighbours(from, y, x);
            (*to)[y][x] = n == 3 || ((*from)[y][x] && n == 2);
        }
}

int main(void) {
    board *now = calloc(1, sizeof *now), *next = malloc(sizeof *next);
    (*now)[0][1] = (*now)[1][2] = (*now)[2][0] = (*now)[2][1] = (*now)[2][2] = 1;
    board first;
    memcpy(&first, now, sizeof first);
    int period = 0;
    do {
        step(now, next);
        board *t = now;
        now = next, next = t;
        if (++period % 8 == 0)
            for (int y = 0; y < 8; y++) {
                for (int x = 0; x < 8; x++) putchar((*now)[y][x] ? '#' : '.');
                putchar(y % 8 == 7 ? '\n' : ' ');
            }
    } while (memcmp(now, first, sizeof first) != 0 && period < 100);
    printf("%d\n", period);
    free(now);
    free(next);
    return 0;
}
