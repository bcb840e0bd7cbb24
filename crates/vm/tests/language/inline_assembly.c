// Inline assembly without instructions: barriers for the compiler, values that it must not look through.
#include <stdio.h>

#define HIDE(x) __asm__ __volatile__("" : "+r"(x))

static int opaque(int n) {
    HIDE(n);
    return n;
}

int main(void) {
    int a = opaque(5), b = 7;
    __asm__("" : "+r"(a), "+r"(b));
    long constant;
    __asm__("" : "=r"(constant) : "0"(1L << 40));
    __asm__ __volatile__("" ::: "memory");
    const char *text = "hidden";
    HIDE(text);
    printf("%d %d %ld %s\n", a, b, constant, text);
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        HIDE(i);
        sum += i;
        __asm__ __volatile__("" : : "r"(sum) : "memory");
    }
    printf("%d\n", sum);
    return 0;
}
