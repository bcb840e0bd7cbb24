// Edit distance, longest common subsequence, coins and a knapsack, by tables.
#include <stdio.h>
#include <string.h>

static int least(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }

static int edit(const char *a, const char *b) {
    int n = (int)strlen(b), row[n + 1];
    for (int j = 0; j <= n; j++) row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int up = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
        }
    }
    return row[n];
}

static void common(const char *a, const char *b, char *out) {
    static unsigned char t[20][20];
    int n = (int)strlen(a), m = (int)strlen(b);
    memset(t, 0, sizeof t);
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            t[i][j] = a[i] == b[j] ? (unsigned char)(t[i + 1][j + 1] + 1) : t[i + 1][j] > t[i][j + 1] ? t[i + 1][j] : t[i][j + 1];
    for (int i = 0, j = 0; i < n && j < m;) {
        if (a[i] == b[j]) *out++ = a[i], i++, j++;
        else if (t[i + 1][j] >= t[i][j + 1]) i++;
        else j++;
    }
    *out = '\0';
}

int main(void) {
    printf("%d %d %d\n", edit("kitten", "sitting"), edit("", "abc"), edit("same", "same"));
    char text[20];
    common("nematode knowledge", "empty bottle", text);
    printf("[%s]\n", text);
    long ways[101] = {1};
    const int coins[] = {1, 5, 10, 25, 50};
    for (int c = 0; c < 5; c++)
        for (int v = coins[c]; v <= 100; v++) ways[v] += ways[v - coins[c]];
    printf("%ld %ld\n", ways[100], ways[37]);
    const struct { int weight, value; } items[] = {{12, 4}, {2, 2}, {1, 1}, {4, 10}, {1, 2}};
    int best[16] = {0};
    for (int i = 0; i < 5; i++)
        for (int w = 15; w >= items[i].weight; w--)
            if (best[w - items[i].weight] + items[i].value > best[w]) best[w] = best[w - items[i].weight] + items[i].value;
    printf("%d\n", best[15]);
    return 0;
}
