// A singly linked list: built, reversed, sorted by merging, freed.
#include <stdio.h>
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *cons(int value, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

static struct node *reverse(struct node *list) {
    struct node *result = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = result;
        result = list;
        list = next;
    }
    return result;
}

static struct node *merge(struct node *a, struct node *b) {
    if (!a) return b;
    if (!b) return a;
    if (b->value < a->value) { struct node *t = a; a = b; b = t; }
    a->next = merge(a->next, b);
    return a;
}

static struct node *sort(struct node *list) {
    if (!list || !list->next) return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) slow = slow->next, fast = fast->next->next;
    struct node *half = slow->next;
    slow->next = NULL;
    return merge(sort(list), sort(half));
}

static void print(const struct node *list) {
    for (; list; list = list->next) printf("%d%s", list->value, list->next ? " -> " : "\n");
}

int main(void) {
    struct node *list = NULL;
    for (unsigned i = 0, n = 17; i < 12; i++, n = n * 31 % 101) list = cons((int)n, list);
    print(list);
    print(list = reverse(list));
    print(list = sort(list));
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
