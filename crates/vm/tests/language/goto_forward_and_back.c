// goto: loops, ways out of nested loops, cleaning up, into blocks and over declarations.
#include <stdio.h>
#include <stdlib.h>

static int find(int limit) {
    int a, b;
    for (a = 1; a < limit; a++)
        for (b = a; b < limit; b++)
            for (int c = b; c < limit; c++)
                if (a * a + b * b == c * c && a + b + c > 30) goto found;
    return -1;
found:
    return a * 100 + b;
}

static int build(int fail_at) {
    int result = -1;
    char *first = malloc(10), *second;
    if (fail_at == 1) goto free_first;
    second = malloc(10);
    if (fail_at == 2) goto free_second;
    result = 0;
free_second:
    free(second);
free_first:
    free(first);
    return result * fail_at;
}

int main(void) {
    int i = 0;
again:
    printf("%d ", i++);
    if (i < 5) goto again;
    printf("\n%d %d %d %d\n", find(30), build(0), build(1), build(2));
    int n = 3;
    if (n == 3) goto inside;
    while (n < 10) {
        printf("top %d\n", n);
    inside:
        printf("inside %d\n", n);
        n += 4;
    }
    goto end;
    printf("never\n");
end:
    return 0;
}
