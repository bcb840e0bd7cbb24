// The towers of Hanoi, with the towers kept and checked.
#include <stdio.h>

enum { DISCS = 6 };
static int towers[3][DISCS], heights[3], moves;

static void move(int from, int to) {
    int disc = towers[from][--heights[from]];
    if (heights[to] > 0 && towers[to][heights[to] - 1] < disc) printf("wrong\n");
    towers[to][heights[to]++] = disc;
    if (++moves % 10 == 1) printf("%d: disc %d from %d to %d\n", moves, disc, from, to);
}

static void hanoi(int n, int from, int to) {
    if (n == 0) return;
    int other = 3 - from - to;
    hanoi(n - 1, from, other);
    move(from, to);
    hanoi(n - 1, other, to);
}

int main(void) {
    for (int i = 0; i < DISCS; i++) towers[0][heights[0]++] = DISCS - i;
    hanoi(DISCS, 0, 2);
    printf("%d moves; %d %d %d;", moves, heights[0], heights[1], heights[2]);
    for (int i = 0; i < DISCS; i++) printf(" %d", towers[2][i]);
    printf("\n");
    return 0;
}
