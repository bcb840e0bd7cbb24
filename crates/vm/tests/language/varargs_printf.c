// A small printf of our own, and wrappers around vsnprintf.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char out[200];
static size_t used;

static void put(char c) { out[used++] = c; out[used] = '\0'; }

static void number(long n, unsigned base) {
    if (n < 0) put('-'), n = -n;
    if (n >= (long)base) number(n / base, base);
    put("0123456789abcdef"[n % base]);
}

static void format(const char *f, ...) {
    va_list list;
    va_start(list, f);
    for (; *f; f++) {
        if (*f != '%') { put(*f); continue; }
        switch (*++f) {
        case 'd': number(va_arg(list, int), 10); break;
        case 'x': number(va_arg(list, unsigned), 16); break;
        case 'c': put((char)va_arg(list, int)); break;
        case 's': for (const char *s = va_arg(list, const char *); *s; s++) put(*s); break;
        default: put(*f);
        }
    }
    va_end(list);
}

static int message(char *buffer, size_t size, const char *prefix, const char *f, ...) {
    va_list list;
    va_start(list, f);
    int n = snprintf(buffer, size, "%s: ", prefix);
    n += vsnprintf(buffer + n, size - (size_t)n, f, list);
    va_end(list);
    return n;
}

int main(void) {
    format("%d|%x|%c|%s|%%|%d\n", -1234, 0xbeef, 'q', "string", 0);
    fputs(out, stdout);
    char buffer[24];
    int n = message(buffer, sizeof buffer, "note", "%d of %s, %5.2f", 3, "four", 2.0 / 3);
    printf("%s (%d, %zu)\n", buffer, n, strlen(buffer));
    n = message(buffer, sizeof buffer, "cut", "%s", "a text that is far too long for this");
    printf("%s (%d, %zu)\n", buffer, n, strlen(buffer));
    return 0;
}
