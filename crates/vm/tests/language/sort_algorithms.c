// Insertion, heap, quick, merge, shell and counting sort over the same numbers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60 };

static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }

static void insertion(int *a, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && a[j] < a[j - 1]; j--) swap(&a[j], &a[j - 1]);
}
static void sift(int *a, int i, int n) {
    for (int c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && a[c + 1] > a[c]) c++;
        if (a[i] >= a[c]) return;
        swap(&a[i], &a[c]);
    }
}
static void heap(int *a, int n) {
    for (int i = n / 2; i-- > 0;) sift(a, i, n);
    while (--n > 0) swap(&a[0], &a[n]), sift(a, 0, n);
}
static void quick(int *a, int n) {
    if (n < 2) return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    for (;; i++, j--) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i >= j) break;
        swap(&a[i], &a[j]);
    }
    quick(a, i);
    quick(a + i, n - i);
}
static void merge(int *a, int n) {
    if (n < 2) return;
    int h = n / 2, i = 0, j = h, k = 0, *t = malloc((size_t)n * sizeof *t);
    merge(a, h);
    merge(a + h, n - h);
    while (i < h || j < n) t[k++] = j == n || (i < h && a[i] <= a[j]) ? a[i++] : a[j++];
    memcpy(a, t, (size_t)n * sizeof *t);
    free(t);
}
static void shell(int *a, int n) {
    for (int gap = n / 2; gap; gap /= 2)
        for (int i = gap; i < n; i++)
            for (int j = i; j >= gap && a[j] < a[j - gap]; j -= gap) swap(&a[j], &a[j - gap]);
}
static void counting(int *a, int n) {
    int counts[256] = {0};
    for (int i = 0; i < n; i++) counts[a[i] + 128]++;
    for (int v = -128; v < 128; v++)
        while (counts[v + 128]--) *a++ = v;
}

int main(void) {
    void (*const sorts[])(int *, int) = {insertion, heap, quick, merge, shell, counting};
    for (int s = 0; s < 6; s++) {
        int a[N];
        unsigned seed = 7;
        for (int i = 0; i < N; i++) a[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 256 - 128;
        sorts[s](a, N);
        unsigned check = 0;
        for (int i = 0; i < N; i++) check = check * 31 + (unsigned)a[i];
        printf("%d %d %d %u\n", a[0], a[N / 2], a[N - 1], check);
    }
    return 0;
}
