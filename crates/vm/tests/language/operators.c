// Precedence, short circuits, commas, conditionals, increments, compound assignment.
#include <stdio.h>

static int calls;
static int yes(void) { calls++; return 1; }
static int no(void) { calls += 100; return 0; }

int main(void) {
    int r1 = yes() || no(), c1 = calls;
    int r2 = no() && yes(), c2 = calls;
    int r3 = (no() || yes()) && (yes() || no()), c3 = calls;
    printf("%d %d %d %d %d %d\n", r1, c1, r2, c2, r3, c3);
    int x = (calls = 5, calls + 1);
    printf("%d\n", x);
    printf("%d %d %d\n", 2 + 3 * 4 % 5, 1 << 2 | 1, (7 & 3) == 3);
    printf("%d %d\n", (5 > 3) > 1, (!5) == 0);
    int i = 5, j = i++ + 10, k = --i - 1;
    printf("%d %d %d\n", i, j, k);
    int a = 7;
    a -= 3, a += a;
    a <<= 2, a |= 3, a ^= 5, a &= ~2, a %= 20;
    printf("%d\n", a);
    for (int n = -1; n < 3; n++) printf("%s ", n < 0 ? "negative" : n == 0 ? "zero" : n == 1 ? "one" : "many");
    printf("\n%d %d\n", -3 / 2 * 2 + -3 % 2, ~0 ^ 0xff);
    int array[3] = {1, 2, 3}, *p = array;
    *p++ = array[1] + 5 - array[0];
    printf("%d %d %d\n", array[0], *p, sizeof array / sizeof *array == 3 && p != array);
    int zero = 0;
    printf("%d\n", zero && 1 / zero);
    printf("%d\n", (zero ?: 42) + (x ?: 1));
    return 0;
}
