// Gaussian elimination with pivots, determinants, and matrices on the heap.
#include <stdio.h>
#include <stdlib.h>

static double **make(int n) {
    double **m = malloc((size_t)n * sizeof *m);
    for (int i = 0; i < n; i++) m[i] = calloc((size_t)n + 1, sizeof **m);
    return m;
}

static double absolute(double x) { return x < 0 ? -x : x; }

static double solve(double **m, int n, double *x) {
    double determinant = 1;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (absolute(m[r][c]) > absolute(m[best][c])) best = r;
        if (best != c) {
            double *t = m[c];
            m[c] = m[best], m[best] = t;
            determinant = -determinant;
        }
        determinant *= m[c][c];
        for (int r = c + 1; r < n; r++) {
            double factor = m[r][c] / m[c][c];
            for (int k = c; k <= n; k++) m[r][k] -= factor * m[c][k];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        x[r] = m[r][n];
        for (int k = r + 1; k < n; k++) x[r] -= m[r][k] * x[k];
        x[r] /= m[r][r];
    }
    return determinant;
}

int main(void) {
    for (int n = 2; n <= 5; n++) {
        double **m = make(n), x[n];
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) m[i][j] = i == j ? n + i : (i * 3 + j * 5) % 7;
        printf("%d: %.10g;", n, solve(m, n, x));
        for (int i = 0; i < n; i++) printf(" %.6f", x[i]);
        printf("\n");
        for (int i = 0; i < n; i++) free(m[i]);
        free(m);
    }
    return 0;
}
