// Arrays whose length is known only when they are made, in loops, as parameters, in two dimensions.
#include <stdio.h>

static int sum(int rows, int columns, int m[rows][columns]) {
    int total = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) total += m[i][j];
    return total;
}

static int triangle(int n) {
    int row[n + 1];
    row[0] = 1;
    for (int i = 1; i <= n; i++) {
        row[i] = 1;
        for (int j = i - 1; j > 0; j--) row[j] += row[j - 1];
    }
    return row[n / 2];
}

static int depth(int n) {
    char here[n + 1];
    for (int i = 0; i <= n; i++) here[i] = (char)n;
    int below = n > 0 ? depth(n - 1) : 0;
    return below + here[n / 2];
}

int main(void) {
    for (int n = 1; n < 6; n++) {
        int m[n][n + 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) m[i][j] = i * j;
        printf("%zu %d\n", sizeof m, sum(n, n + 1, m));
    }
    printf("%d %d %d\n", triangle(4), triangle(10), triangle(20));
    printf("%d\n", depth(15));
    int n = 3;
    double values[n];
    n = 100;
    values[2] = 2.5;
    printf("%zu %g\n", sizeof values / sizeof *values, values[2]);
    return 0;
}
