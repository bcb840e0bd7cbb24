#include <stdarg.h>
#include <stdio.h>
struct big { long a, b, c; };
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    for (int i = 0; i < n; i++) total += va_arg(list, int);
    va_end(list);
    return total;
}
static double mix(const char *kinds, ...) {
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    double total = 0;
    for (const char *k = kinds; *k; k++)
        total += *k == 'i' ? va_arg(list, int) : *k == 'l' ? va_arg(list, long) : va_arg(list, double);
    va_end(list);
    total += va_arg(copy, int);
    va_end(copy);
    return total;
}
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
static struct big make(long a) { return (struct big){a, a + 1, a + 2}; }
static long total(struct big b) { return b.a + b.b + b.c; }
int main(void) {
    printf("%d %.2f\n", sum(4, 1, 2, 3, 4), mix("idl", 1, 2.5, 3L));
    say("%s %d %.1f\n", "hi", 3, 4.5);
    printf("%ld\n", total(make(10)));
    return 0;
}
