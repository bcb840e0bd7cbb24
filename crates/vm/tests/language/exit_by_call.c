// exit from deep inside; functions registered with atexit run in reverse order.
#include <stdio.h>
#include <stdlib.h>

static int level;

static void first(void) { printf("registered first, runs last, level %d\n", level); }
static void second(void) { printf("registered second\n"); level = 7; }
static void third(void) { puts("registered third"); }

static void descend(int n) {
    level = n;
    if (n == 4) {
        printf("leaving\n");
        exit(300);
    }
    descend(n + 1);
    printf("never\n");
}

int main(void) {
    atexit(first);
    atexit(second);
    atexit(third);
    descend(0);
    return 1;
}
