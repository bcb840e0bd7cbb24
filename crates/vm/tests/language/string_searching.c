// strchr, strrchr, strstr, strspn, strcspn, strpbrk, strtok, memchr.
#include <stdio.h>
#include <string.h>

static void at(const char *base, const char *found) {
    if (found) printf("%td ", found - base);
    else printf("none ");
}

int main(void) {
    const char *t = "the theory of the thing";
    at(t, strchr(t, 'h'));
    at(t, strrchr(t, 'h'));
    at(t, strchr(t, 'z'));
    at(t, strchr(t, '\0'));
    at(t, strstr(t, "the "));
    at(t, strstr(t, "thing"));
    at(t, strstr(t, ""));
    at(t, strstr(t, "things"));
    at(t, strpbrk(t, "xyz"));
    at(t, memchr(t, 'o', 8));
    at(t, memchr(t, 'g', 8));
    printf("\n%zu %zu\n", strspn(t, "eht "), strcspn(t, "of"));
    char line[] = ",one,two;;three , four,";
    for (char *token = strtok(line, ",;"); token; token = strtok(NULL, ",;")) printf("[%s]", token);
    printf("\n");
    char pairs[] = "a=1&b=22&c", *outer, *inner;
    for (char *p = strtok_r(pairs, "&", &outer); p; p = strtok_r(NULL, "&", &outer)) {
        char *key = strtok_r(p, "=", &inner), *value = strtok_r(NULL, "=", &inner);
        printf("%s:%s ", key, value ? value : "-");
    }
    printf("\n");
    return 0;
}
