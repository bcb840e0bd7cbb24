// Pointers to pointers: results by parameters, tables, removal from a list without special cases.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static void push(struct node **head, int value) {
    struct node *n = malloc(sizeof *n);
    *n = (struct node){value, *head};
    *head = n;
}

static int remove_all(struct node **link, int divisor) {
    int removed = 0;
    while (*link) {
        struct node *n = *link;
        if (n->value % divisor == 0) {
            *link = n->next;
            free(n);
            removed++;
        } else {
            link = &n->next;
        }
    }
    return removed;
}

static void pick(int **out, int *a, int *b, int which) { *out = which ? a : b; }

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 20; i++) push(&head, i);
    printf("%d\n", remove_all(&head, 3));
    printf("%d\n", remove_all(&head, 2));
    for (struct node *n = head; n; n = n->next) printf("%d ", n->value);
    printf("%d\n", remove_all(&head, 1));
    int x = 1, y = 2, *p = NULL, **pp = &p, ***ppp = &pp;
    pick(*ppp, &x, &y, 1);
    **pp += 10;
    pick(pp, &x, &y, 0);
    ***ppp += 20;
    printf("%d %d %d\n", x, y, *p);
    char *words[] = {"c", "a", "b", NULL};
    int count = 0;
    for (char **w = words; *w; w++) count += **w;
    printf("%d\n", count);
    return 0;
}
