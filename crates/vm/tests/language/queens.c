// The queens' problem, by arrays and by bits, with the first solution shown.
#include <stdio.h>
#include <stdlib.h>

static int column[8], solutions;

static int safe(int row, int at) {
    for (int r = 0; r < row; r++)
        if (column[r] == at || abs(column[r] - at) == row - r) return 0;
    return 1;
}

static void place(int row, int n) {
    if (row == n) {
        if (solutions++ == 0)
            for (int r = 0; r < n; r++, putchar('\n'))
                for (int c = 0; c < n; c++) putchar(column[r] == c ? 'Q' : '.');
        return;
    }
    for (int c = 0; c < n; c++)
        if (safe(row, c)) column[row] = c, place(row + 1, n);
}

static int bits(unsigned all, unsigned columns, unsigned left, unsigned right) {
    if (columns == all) return 1;
    int count = 0;
    for (unsigned free = all & ~(columns | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        count += bits(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}

int main(void) {
    place(0, 6);
    printf("%d\n", solutions);
    for (unsigned n = 1; n <= 7; n++) printf("%d ", bits((1u << n) - 1, 0, 0, 0));
    printf("\n");
    return 0;
}
