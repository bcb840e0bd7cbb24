// Unions as arguments, results and array elements.
#include <stdio.h>
#include <string.h>

union number { int i; double d; char text[12]; };
enum kind { INT, DOUBLE, STRING };

static union number make(enum kind kind, const char *from) {
    union number n;
    memset(&n, 0, sizeof n);
    if (kind == INT) n.i = (int)strlen(from);
    if (kind == DOUBLE) n.d = (double)strlen(from) / 4;
    if (kind == STRING) strncpy(n.text, from, sizeof n.text - 1);
    return n;
}

static void show(enum kind kind, union number n) {
    if (kind == INT) printf("%d\n", n.i);
    if (kind == DOUBLE) printf("%g\n", n.d);
    if (kind == STRING) printf("%s\n", n.text);
}

int main(void) {
    union number all[3];
    for (int k = INT; k <= STRING; k++) all[k] = make((enum kind)k, "a longer text");
    for (int k = INT; k <= STRING; k++) show((enum kind)k, all[k]);
    union number copy = all[STRING];
    copy.text[2] = '\0';
    show(STRING, copy);
    show(STRING, all[STRING]);
    return 0;
}
