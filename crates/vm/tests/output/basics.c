#include <stdio.h>
#include <string.h>
struct point { int x, y; };
union word { int i; unsigned char b[4]; float f; };
struct bits { unsigned a : 3, b : 5; int c : 6; };
enum color { RED, GREEN = 5, BLUE };
static struct point add(struct point p, struct point q) { return (struct point){p.x + q.x, p.y + q.y}; }
static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
static int counter(void) { static int n; return ++n; }
int main(int argc, char **argv) {
    struct point p = add((struct point){1, 2}, (struct point){3, 4});
    printf("%d %d\n", p.x, p.y);
    union word w = {.i = 0x01020304};
    printf("%d %d %d %d\n", w.b[0], w.b[1], w.b[2], w.b[3]);
    struct bits b;
    b.a = 5, b.b = 17, b.c = -3;
    printf("%u %u %d\n", b.a, b.b, b.c);
    printf("%d %d %d\n", RED, GREEN, BLUE);
    printf("%d\n", fact(10));
    counter(), counter();
    printf("%d\n", counter());
    for (int i = 0; i < argc; i++)
        if (i) printf("%s ", argv[i]);
    printf("%d\n", argc);
    int a[5] = {5, 3, 1, 4, 2};
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            if (a[j] < a[i]) { int t = a[i]; a[i] = a[j]; a[j] = t; }
    for (int i = 0; i < 5; i++) printf("%d,", a[i]);
    puts("");
    switch (argc) { case 1: puts("one"); break; case 3: puts("three"); default: puts("fall"); }
    int n = 0;
again:
    if (n++ < 3) goto again;
    printf("%d\n", n);
    return 7;
}
