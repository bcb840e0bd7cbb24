// Functions that run before and after main, by priority, and weak symbols and aliases.
#include <stdio.h>

static int order;
static int at[3];

__attribute__((constructor(201))) static void later(void) { at[1] = ++order; }
__attribute__((constructor(200))) static void early(void) { at[0] = ++order; }
__attribute__((constructor)) static void last(void) { at[2] = ++order; }
__attribute__((destructor)) static void after(void) { printf("after main, %d\n", order); }

static int real(int n) { return n * 5; }
int alias(int n) __attribute__((alias("real")));
__attribute__((weak)) int weakly(void) { return 77; }
extern int missing(void) __attribute__((weak));

int main(void) {
    printf("%d %d %d\n", at[0], at[1], at[2]);
    printf("%d %d %d\n", alias(8), real(9), weakly());
    printf("%d\n", missing ? missing() : -1);
    order = 50;
    return 0;
}
