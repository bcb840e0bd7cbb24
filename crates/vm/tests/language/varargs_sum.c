// Variable arguments of all promoted types, with a count and with an end mark; va_copy; passing a va_list on.
#include <stdarg.h>
#include <stdio.h>

static long sum(int count, ...) {
    va_list list;
    va_start(list, count);
    long total = 0;
    while (count--) total += va_arg(list, int);
    va_end(list);
    return total;
}

static double mixed(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    double total = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(list, int); break;
        case 'l': total += (double)va_arg(list, long); break;
        case 'd': total += va_arg(list, double); break;
        case 'p': total += *va_arg(list, int *); break;
        case 'u': total += va_arg(list, unsigned); break;
        }
    }
    va_end(list);
    return total;
}

static int take(va_list *list) { return va_arg(*list, int); }

static int twice(int first, ...) {
    va_list list, copy;
    va_start(list, first);
    int total = first + take(&list);
    va_copy(copy, list);
    for (int n; (n = va_arg(list, int)) != 0;) total += n;
    for (int n; (n = va_arg(copy, int)) != 0;) total += 10 * n;
    va_end(copy);
    va_end(list);
    return total;
}

int main(void) {
    int seven = 7;
    printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    printf("%g\n", mixed("idlpu", -1, 0.5, 1L << 33, &seven, 4000000000u));
    printf("%g\n", mixed("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    printf("%g\n", mixed("ididididididid", 1, .1, 2, .2, 3, .3, 4, .4, 5, .5, 6, .6, 7, .7));
    printf("%d\n", twice(1, 2, 3, 4, 5, 0));
    return 0;
}
