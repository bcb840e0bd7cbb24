// Strings as arrays and as pointers; initialisers that are shorter, exact and longer than they need to be.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char exact[5] = {'h', 'e', 'l', 'l', 'o'};
static char longer[8] = "hi";
static const char *const days[] = {"mon", "tues", "wednes", "thurs", "fri", "satur", "sun"};
static char table[][6] = {"a", "bcd", "efghi"};
static const wchar_t wide[] = L"wide";

int main(void) {
    printf("%.5s %zu %zu %d\n", exact, sizeof exact, sizeof longer, longer[7]);
    for (size_t i = 0; i < sizeof days / sizeof *days; i++) printf("%s%s ", days[i], "day");
    printf("\n");
    table[1][0] = 'X';
    for (size_t i = 0; i < 3; i++) printf("%s %zu ", table[i], strlen(table[i]));
    printf("%zu\n", sizeof table);
    printf("%zu %d\n", sizeof wide / sizeof *wide, (int)wide[3]);
    const char *escapes = "tab\there \x41\102\\ \"quoted\" nul\0hidden";
    printf("%s %zu %c\n", escapes, strlen(escapes), escapes[strlen(escapes) + 3]);
    const char *joined = "one "
                         "two " "three";
    printf("%s %c %c\n", joined, joined[4], 2["abc"]);
    char copy[] = "modifiable";
    for (char *p = copy; *p; p += 2) *p = (char)(*p - 'a' + 'A');
    printf("%s\n", copy);
    return 0;
}
