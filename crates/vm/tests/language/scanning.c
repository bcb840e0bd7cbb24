// sscanf: numbers, words, characters, widths, literal text, what is left over.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, n = 0;
    unsigned x = 0;
    long l = 0;
    double d = 0;
    float f = 0;
    char word[8], c = 0;
    int got = sscanf("12 abc 2.5", "%d %7s %lf", &a, word, &d);
    printf("%d %d %s %g\n", got, a, word, d);
    got = sscanf("x=ff,-7;", "x=%x,%d%c%n", &x, &b, &c, &n);
    printf("%d %u %d %c %d\n", got, x, b, c, n);
    got = sscanf("123456", "%3d%ld", &a, &l);
    printf("%d %d %ld\n", got, a, l);
    got = sscanf("1.5e2 tail", "%f %*s", &f);
    printf("%d %g\n", got, f);
    printf("%d %d\n", sscanf("nothing", "%d", &a), sscanf("", "%d", &a));
    printf("%d %d\n", sscanf("10:20", "%d:%d", &a, &b), a + b);
    return 0;
}
