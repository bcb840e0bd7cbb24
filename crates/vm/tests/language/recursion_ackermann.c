// Deep and nested recursion.
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned long long factorial(unsigned n) { return n < 2 ? 1 : n * factorial(n - 1); }
static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }

static int permutations(char *text, int from, int length) {
    if (from == length - 1) return text[0] < text[length - 1];
    int count = 0;
    for (int i = from; i < length; i++) {
        char t = text[from];
        text[from] = text[i], text[i] = t;
        count += permutations(text, from + 1, length);
        t = text[from];
        text[from] = text[i], text[i] = t;
    }
    return count;
}

int main(void) {
    for (unsigned m = 0; m < 3; m++)
        for (unsigned n = 0; n < 4; n++) printf("%u ", ackermann(m, n));
    printf("%u\n%llu %d %d %d\n", ackermann(3, 3), factorial(20), fibonacci(15), depth(1000), gcd(1071, 462));
    char text[] = "abcde";
    printf("%d %s\n", permutations(text, 0, 5), text);
    return 0;
}
