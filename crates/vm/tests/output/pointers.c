#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
struct shape { int (*area)(const struct shape *); int w, h; };
static int rectangle(const struct shape *s) { return s->w * s->h; }
static int triangle(const struct shape *s) { return s->w * s->h / 2; }
static int (*table[])(const struct shape *) = {rectangle, triangle};
static int matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
static const char *names[] = {"zero", "one", "two"};
static int *hole = &matrix[1][2];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    struct node *list = NULL;
    for (int i = 0; i < 5; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i * i, n->next = list, list = n;
    }
    for (struct node *n = list; n; n = n->next) printf("%d ", n->value);
    while (list) { struct node *n = list; list = n->next; free(n); }
    struct shape s = {rectangle, 3, 4};
    printf("%d ", s.area(&s));
    s.area = table[1];
    printf("%d\n", s.area(&s));
    int sum = 0;
    for (int *p = &matrix[0][0]; p < &matrix[0][0] + 12; p++) sum += *p;
    printf("%d %d %s %td\n", sum, *hole, names[2], hole - &matrix[0][0]);
    int numbers[] = {5, 2, 8, 1, 9, 3};
    qsort(numbers, 6, sizeof *numbers, compare);
    for (int i = 0; i < 6; i++) printf("%d ", numbers[i]);
    int key = 8;
    int *found = bsearch(&key, numbers, 6, sizeof *numbers, compare);
    printf("%td\n", found ? found - numbers : -1);
    int *grown = malloc(2 * sizeof *grown);
    grown[0] = 1, grown[1] = 2;
    grown = realloc(grown, 100 * sizeof *grown);
    grown[99] = 7;
    printf("%d %d %d\n", grown[0], grown[1], grown[99]);
    uintptr_t bits = (uintptr_t)grown | 1;
    int *back = (int *)(bits & ~(uintptr_t)1);
    printf("%d %d %zu\n", back == grown, *back, offsetof(struct shape, h));
    free(grown);
    int n = 4;
    int vla[n];
    for (int i = 0; i < n; i++) vla[i] = i;
    printf("%d %zu\n", vla[3], sizeof vla);
    char bytes[8];
    *(int *)(bytes + 4) = 0x01020304;
    printf("%d\n", bytes[4]);
    return 0;
}
