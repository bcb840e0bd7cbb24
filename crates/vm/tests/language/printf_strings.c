// %s and %c, sprintf and snprintf, puts, putchar and fputs.
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *s = "string";
    printf("[%s|%10s|%-10s|%.3s|%8.2s|%-8.4s|%.0s|%.*s|%*s]\n", s, s, s, s, s, s, s, 2, s, 9, s);
    char unterminated[4] = {'a', 'b', 'c', 'd'};
    printf("%.4s %.2s\n", unterminated, unterminated);
    puts("puts ends the line");
    putchar('p');
    putchar('\n');
    fputs("fputs does not\n", stdout);
    fputc('c', stdout);
    putc('\n', stdout);
    fwrite("written\nnot", 1, 8, stdout);
    fprintf(stdout, "%s %d\n", "to a stream", 5);
    char buffer[16];
    int n = sprintf(buffer, "%d-%s", 12, "ab");
    printf("%d %s\n", n, buffer);
    n = snprintf(buffer, sizeof buffer, "%s %s", "much too long", "for that");
    printf("%d %s %zu\n", n, buffer, strlen(buffer));
    n = snprintf(NULL, 0, "%05d", 42);
    printf("%d\n", n);
    n = snprintf(buffer, strlen(s) - 5, "x");
    printf("%d %d\n", n, buffer[0]);
    printf("%s%s%s\n", "", "a", "");
    printf("%c%c%c\n", 72, 105, 33);
    printf("plain\n");
    fprintf(stderr, "not compared\n");
    return 0;
}
