#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char s[40] = "hello";
    printf("%zu %d %d\n", strlen(s), strcmp(s, "help") < 0, strncmp(s, "help", 3));
    strcat(s, ", world");
    printf("%s %s %s\n", s, strchr(s, 'o'), strrchr(s, 'o'));
    printf("%s %zu %zu\n", strstr(s, "wor"), strspn(s, "hel"), strcspn(s, ","));
    char *copy = strdup(s);
    for (char *p = copy; *p; p++) *p = (char)toupper(*p);
    puts(copy);
    memmove(copy + 2, copy, 5);
    puts(copy);
    memset(copy, 'x', 3);
    puts(copy);
    printf("%d %d\n", memcmp("abc", "abd", 3) < 0, memcmp("abc", "abd", 2));
    free(copy);
    char text[] = "one two,three";
    for (char *t = strtok(text, " ,"); t; t = strtok(NULL, " ,")) puts(t);
    char *end;
    long v = strtol("  -123abc", &end, 10);
    printf("%ld %s %d %ld %lu\n", v, end, atoi("42x"), strtol("0x1f", 0, 0), strtoul("777", 0, 8));
    printf("%d %d %d %d\n", !!isalpha('a'), !!isdigit('a'), !!isspace(' '), tolower('Q'));
    char to[8];
    strncpy(to, "ab", sizeof to);
    printf("%s %d\n", to, to[7]);
    printf("%.3f\n", atof("2.5e1"));
    return 0;
}
