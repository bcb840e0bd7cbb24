// strcmp, strncmp, memcmp, strcasecmp: only the sign counts.
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
    const char *words[] = {"", "a", "ab", "abc", "abd", "B", "\x80"};
    for (int i = 0; i < 7; i++) {
        for (int j = 0; j < 7; j++)
            printf("%2d%2d%2d ", sign(strcmp(words[i], words[j])), sign(strncmp(words[i], words[j], 2)),
                   sign(strcasecmp(words[i], words[j])));
        printf("\n");
    }
    unsigned a[] = {1, 2, 3}, b[] = {1, 2, 259};
    printf("%d %d %d\n", sign(memcmp(a, b, 8)), sign(memcmp(a, b, sizeof a)), sign(memcmp(a + 2, b + 2, 2)));
    printf("%d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp("abc", "x", 0)));
    return 0;
}
