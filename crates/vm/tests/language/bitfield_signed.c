// Signed bit fields: sign extension on reading.
#include <stdio.h>

struct s { signed a : 2, b : 5, c : 11; long long d : 40; };

int main(void) {
    struct s s = {0, 0, 0, 0};
    for (int i = -20; i <= 20; i += 5) {
        s.a = i & 1;
        s.b = i % 16;
        s.c = i * 50;
        s.d = i * 20000000000LL;
        printf("%d %d %d %lld\n", s.a, s.b, s.c, (long long)s.d);
    }
    s.a = -2;
    s.b = -16;
    s.c = -1024;
    printf("%d %d %d\n", s.a, s.b, s.c);
    s.b = 15;
    s.c = 1023;
    printf("%d %d %d\n", s.b + 1, s.c + 1, s.a < s.b);
    struct { int v : 4; } array[16];
    for (int i = 0; i < 16; i++) array[i].v = i < 8 ? i : i - 16;
    for (int i = 0; i < 16; i++) printf("%d ", array[i].v);
    printf("\n");
    return 0;
}
