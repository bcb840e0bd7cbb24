// All kinds of loops, break and continue, commas, and empty bodies.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int i = 0, j = 10; i < j; i++, j--) total += i * j;
    printf("%d\n", total);
    int n = 27, steps = 0;
    do {
        n = n % 2 ? 3 * n + 1 : n / 2;
        if (++steps > 1000) break;
    } while (n != 1);
    printf("%d\n", steps);
    for (;;) {
        if (++n % 7 == 0) continue;
        if (n > 20) break;
        printf("%d ", n);
    }
    printf("\n");
    const char *p = "count me";
    const char *q = p;
    while (*q++);
    printf("%td\n", q - p - 1);
    do total--; while (0);
    unsigned char wrap = 250;
    int rounds = 0;
    for (; wrap >= 5; wrap++) rounds++;
    printf("%d %d %d\n", total, rounds, wrap);
    for (int i = 0; i < 3; i++) {
        for (int k = 0;; k++) {
            if (k == i) break;
            if (k % 2) continue;
            printf("(%d,%d)", i, k);
        }
    }
    printf("\n");
    return 0;
}
