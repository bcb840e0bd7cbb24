// qsort and bsearch with many comparators, over numbers, strings and structs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct person { const char *name; int age; };
static int comparisons;

static int up(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    comparisons++;
    return (x > y) - (x < y);
}
static int down(const void *a, const void *b) { return up(b, a); }
static int text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
static int reals(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return d < 0 ? -1 : d > 0;
}
static int people(const void *a, const void *b) {
    const struct person *p = a, *q = b;
    return p->age != q->age ? p->age - q->age : strcmp(p->name, q->name);
}

int main(void) {
    int n[] = {5, -3, 9, 0, 5, 2, -8, 7, 1, 4};
    qsort(n, 10, sizeof *n, up);
    for (int i = 0; i < 10; i++) printf("%d ", n[i]);
    int key = 7, missing = 3;
    int *found = bsearch(&key, n, 10, sizeof *n, up);
    printf("| %td %d\n", found - n, bsearch(&missing, n, 10, sizeof *n, up) == NULL);
    qsort(n, 10, sizeof *n, down);
    for (int i = 0; i < 10; i++) printf("%d ", n[i]);
    printf("%d\n", comparisons > 20);
    const char *words[] = {"pear", "apple", "fig", "banana", "apples"};
    qsort(words, 5, sizeof *words, text);
    for (int i = 0; i < 5; i++) printf("%s ", words[i]);
    printf("\n");
    double d[] = {2.5, -1, 1e9, 0.25, -1e-9};
    qsort(d, 5, sizeof *d, reals);
    for (int i = 0; i < 5; i++) printf("%g ", d[i]);
    printf("\n");
    struct person team[] = {{"zoe", 30}, {"adam", 41}, {"eve", 30}, {"bob", 25}};
    qsort(team, 4, sizeof *team, people);
    for (int i = 0; i < 4; i++) printf("%s %d, ", team[i].name, team[i].age);
    printf("\n");
    qsort(n, 0, sizeof *n, up);
    return 0;
}
