// Local variables that live on between calls, also in recursive functions.
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}

static const char *remember(const char *text) {
    static const char *last = "nothing";
    const char *before = last;
    last = text;
    return before;
}

static int depth(int n) {
    static int deepest, calls;
    int here = n;
    calls++;
    if (n > deepest) deepest = n;
    if (n < 5) depth(n + 1);
    return deepest * 100 + calls * 10 + here;
}

static unsigned *history(unsigned value) {
    static unsigned ring[4], at;
    ring[at++ % 4] = value;
    return ring;
}

int main(void) {
    for (int i = 0; i < 3; i++) printf("%d ", counter());
    printf("\n");
    printf("%s\n", remember("first"));
    printf("%s\n", remember("second"));
    printf("%s\n", remember("third"));
    printf("%d\n", depth(0));
    printf("%d\n", depth(3));
    for (unsigned i = 0; i < 6; i++) history(i);
    unsigned *ring = history(100);
    printf("%u %u %u %u\n", ring[0], ring[1], ring[2], ring[3]);
    for (int i = 0; i < 2; i++) {
        static int inner;
        int fresh = 0;
        inner++, fresh++;
        printf("%d%d ", inner, fresh);
    }
    printf("\n");
    return 0;
}
