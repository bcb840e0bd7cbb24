// Every integer conversion of printf with flags, widths, precisions and lengths.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    int values[] = {0, 1, -1, 42, -12345, 2147483647};
    for (int i = 0; i < 6; i++) {
        int n = values[i];
        printf("[%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%+05d]\n", n, n, n, n, n, n, n, n, n, n);
        printf("[%i|%u|%o|%x|%X|%#o|%#x|%#X|%08x|%#010x|%.6x]\n", n, (unsigned)n, (unsigned)n, (unsigned)n,
               (unsigned)n, (unsigned)n, (unsigned)n, (unsigned)n, (unsigned)n, (unsigned)n, (unsigned)n);
    }
    printf("[%hhd|%hd|%ld|%lld|%zd|%jd|%td]\n", (signed char)-5, (short)-500, -5000000000L, -(1LL << 62), (ptrdiff_t)-7,
           (intmax_t)-8, (ptrdiff_t)-9);
    printf("[%hhu|%hu|%lu|%llu|%zu|%ju|%lx|%llo]\n", (unsigned char)250, (unsigned short)65000, 5000000000UL, ~0ULL,
           sizeof(int), (uintmax_t)3, 0xfedcba987654UL, 1ULL << 60);
    int wrapped = 0x12345;
    printf("[%hhx|%hx]\n", (unsigned char)wrapped, (unsigned short)wrapped);
    printf("[%*d|%-*d|%.*d|%*.*d]\n", 6, 42, 6, 42, 4, 42, 8, 3, -7);
    printf("[%*d|%.*d]\n", -6, 42, -1, 42);
    printf("[%.0d|%.0x|%5.0d]\n", 0, 0u, 0);
    printf("%d%%|%c|%5c|%-3c|\n", 50, 'x', 'y', 'z');
    int length = printf("counted\n");
    printf("%d\n", length);
    return 0;
}
