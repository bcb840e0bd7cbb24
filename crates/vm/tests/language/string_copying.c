// strcpy, strncpy, strcat, strncat, strlen, strdup.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void dump(const char *b, int n) {
    for (int i = 0; i < n; i++) putchar(b[i] ? b[i] : '.');
    putchar('\n');
}

int main(void) {
    char b[16];
    memset(b, '#', sizeof b);
    printf("%d\n", strcpy(b, "hello") == b);
    dump(b, 16);
    strncpy(b + 8, "ab", 5);
    dump(b, 16);
    strncpy(b, "truncated", 4);
    dump(b, 16);
    strcpy(b, "one");
    strcat(b, "two");
    strncat(b, "threefour", 5);
    dump(b, 16);
    printf("%zu %zu %zu\n", strlen(b), strlen(""), strlen(b + 8));
    char *d = strdup(b);
    d[0] = 'O';
    printf("%s %s\n", d, b);
    free(d);
    d = strndup("abcdef", 3);
    printf("%s\n", d);
    free(d);
    printf("%zu %zu\n", strnlen("abcdef", 3), strnlen("ab", 30));
    char *end = stpcpy(b, "end");
    printf("%td\n", end - b);
    return 0;
}
