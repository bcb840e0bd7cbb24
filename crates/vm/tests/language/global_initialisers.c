// Globals initialised with addresses of others, of members, of functions, of string literals, and cycles of them.
#include <stdio.h>

static int numbers[5] = {1, 2, 3, 4, 5};
static int *const middle = &numbers[2], *const end = numbers + 5;
static struct node { const char *name; struct node *next; int *value; } b, c;
static struct node a = {"a", &b, numbers}, b = {"b", &c, &numbers[1]}, c = {"c", &a, &numbers[4]};
static int twice(int n) { return 2 * n; }
static int thrice(int n) { return 3 * n; }
static int (*functions[])(int) = {twice, thrice, NULL};
static int (**cursor)(int) = &functions[1];
static struct { char tag; union { int i; const char *s; } u; struct { int (*f)(int); } in[2]; } deep = {
    't', {.s = "union"}, {{thrice}, {twice}}};
static const char *const *names = (const char *const[]){"x", "y"};
static char *const inside = &"literal"[3];
static const unsigned long size = sizeof numbers * 2 + 'a';
static const char *late;
static double tentative[3];
int external_later;
extern int external_later;
int external_later = 12;

int main(void) {
    printf("%d %d %d\n", *middle, end[-1], middle[-2]);
    struct node *n = &a;
    for (int i = 0; i < 7; i++, n = n->next) printf("%s%d ", n->name, *n->value);
    printf("\n%d %d %d\n", functions[0](5), (*cursor)(5), cursor[1] == NULL);
    printf("%c %s %d %d\n", deep.tag, deep.u.s, deep.in[0].f(7), deep.in[1].f(7));
    printf("%s %s %lu %d %g %d\n", names[1], inside, size, late == NULL, tentative[2], external_later);
    *middle = 30;
    b.next = &b;
    printf("%d %s\n", numbers[2], a.next->next->next->name);
    return 0;
}
