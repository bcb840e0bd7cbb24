// The character classes and conversions.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int counts[12] = {0};
    for (int c = 0; c < 128; c++) {
        counts[0] += !!isalpha(c), counts[1] += !!isdigit(c), counts[2] += !!isalnum(c), counts[3] += !!isspace(c);
        counts[4] += !!isupper(c), counts[5] += !!islower(c), counts[6] += !!ispunct(c), counts[7] += !!isxdigit(c);
        counts[8] += !!isprint(c), counts[9] += !!isgraph(c), counts[10] += !!iscntrl(c), counts[11] += !!isblank(c);
    }
    for (int i = 0; i < 12; i++) printf("%d ", counts[i]);
    printf("\n");
    for (const char *p = "Hello, World 42!\t"; *p; p++) {
        int c = (unsigned char)*p;
        putchar(isupper(c) ? tolower(c) : toupper(c));
        putchar(isdigit(c) ? 'd' : isspace(c) ? 's' : isalpha(c) ? 'a' : 'o');
    }
    printf("\n%d %d\n", toupper('1'), !!isalpha('_'));
    return 0;
}
