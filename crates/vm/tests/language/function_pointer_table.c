// Tables of function pointers, indexed and searched.
#include <stdio.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int quotient(int a, int b) { return b ? a / b : 0; }

typedef int (*operation)(int, int);
static const struct { const char *name; operation run; } operations[] = {
    {"add", add}, {"sub", sub}, {"mul", &mul}, {"div", quotient}, {NULL, NULL},
};

static operation find(const char *name) {
    for (int i = 0; operations[i].name; i++)
        if (strcmp(operations[i].name, name) == 0) return operations[i].run;
    return NULL;
}

static operation (*finder(void))(const char *) { return find; }

int main(void) {
    for (int i = 0; operations[i].run; i++) printf("%s %d\n", operations[i].name, operations[i].run(17, 5));
    printf("%d %d\n", (*find("mul"))(6, 7), (**find("sub"))(6, 7));
    printf("%d %d\n", find("pow") == NULL, find("add") == add);
    printf("%d\n", finder()("div")(100, 7));
    operation local[2] = {add, mul};
    int total = 1;
    for (int i = 0; i < 6; i++) total = local[i & 1](total, i + 1);
    printf("%d\n", total);
    return 0;
}
