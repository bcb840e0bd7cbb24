#include <stdio.h>
int main(void) {
    printf("[%5d][%-5d][%05d][%+d][% d][%x][%X][%#x][%o]\n", 42, 42, 42, 42, 42, 255, 255, 255, 8);
    printf("[%s][%10s][%-10s][%.2s][%c]\n", "abc", "abc", "abc", "abc", 'z');
    printf("[%f][%.2f][%10.3f][%e][%g][%g][%g]\n", 3.14159, 3.14159, 3.14159, 31415.9, 0.0001, 1e10, 100.0);
    printf("[%ld][%lld][%hd][%hhd][%zu][%u]\n", 1L << 40, -1LL, (short)70000, (char)300, sizeof(int), -1);
    printf("[%*d][%.*f][%%][%i]\n", 6, 7, 1, 2.55, -9);
    printf("[%08.3f][%-8.2f][%+.1e]\n", 1.5, 2.25, 12345.678);
    char buffer[32];
    int n = snprintf(buffer, sizeof buffer, "%d-%s", 12, "x");
    printf("%d %s\n", n, buffer);
    n = snprintf(buffer, 4, "123456");
    printf("%d %s\n", n, buffer);
    printf("%5.1f|%.0f|%#o|%lu\n", 9.96, 2.5, 8, 18446744073709551615UL);
    putchar('a'), putchar('\n');
    fputs("end\n", stdout);
    fprintf(stdout, "%s\n", "stream");
    return 0;
}
