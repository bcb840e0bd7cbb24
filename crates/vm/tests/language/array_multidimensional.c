// Arrays of arrays of arrays, as parameters and through pointers to rows.
#include <stdio.h>

static int cube[3][4][5];
static const int identity[3][3] = {{1}, {0, 1}, {0, 0, 1}};

static void multiply(int n, const int a[3][3], const int b[3][3], int out[3][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            out[i][j] = 0;
            for (int k = 0; k < n; k++) out[i][j] += a[i][k] * b[k][j];
        }
}

static int sum_row(const int (*row)[5]) {
    int sum = 0;
    for (int i = 0; i < 5; i++) sum += (*row)[i];
    return sum;
}

int main(void) {
    int n = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 5; k++) cube[i][j][k] = n++;
    printf("%d %d %d\n", cube[1][2][3], *(*(*(cube + 2) + 1) + 4), (*cube)[3][0]);
    for (int j = 0; j < 4; j++) printf("%d ", sum_row(&cube[2][j]));
    printf("\n%zu %zu %zu\n", sizeof cube, sizeof cube[0], sizeof cube[0][0]);
    const int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
    int b[3][3], c[3][3];
    multiply(3, a, identity, b);
    multiply(3, (const int(*)[3])b, a, c);
    for (int i = 0; i < 3; i++) printf("%d %d %d\n", c[i][0], c[i][1], c[i][2]);
    int (*p)[4][5] = cube;
    p += 2;
    printf("%d %td\n", p[0][0][0], p - cube);
    return 0;
}
