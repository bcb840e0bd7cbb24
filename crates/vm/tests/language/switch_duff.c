// Duff's device, and a coroutine made of a switch into a loop.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++; __attribute__((fallthrough));
    case 7: *to++ = *from++; __attribute__((fallthrough));
    case 6: *to++ = *from++; __attribute__((fallthrough));
    case 5: *to++ = *from++; __attribute__((fallthrough));
    case 4: *to++ = *from++; __attribute__((fallthrough));
    case 3: *to++ = *from++; __attribute__((fallthrough));
    case 2: *to++ = *from++; __attribute__((fallthrough));
    case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

struct generator { int line, i, j; };

static int next(struct generator *g) {
    switch (g->line) {
    case 0:
        for (g->i = 1; g->i < 4; g->i++) {
            for (g->j = 0; g->j < g->i; g->j++) {
                g->line = 1;
                return g->i * 10 + g->j;
    case 1:;
            }
        }
    }
    g->line = 2;
    return -1;
}

int main(void) {
    const char *text = "the quick brown fox jumps over";
    for (int n = 1; n < 30; n += 7) {
        char buffer[32] = {0};
        copy(buffer, text, n);
        printf("[%s]\n", buffer);
    }
    struct generator g = {0, 0, 0};
    for (int n; (n = next(&g)) >= 0;) printf("%d ", n);
    printf("%d\n", next(&g));
    return 0;
}
