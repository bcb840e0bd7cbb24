// A string that grows, with formatted appending, insertion and replacement.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder { char *text; size_t length, capacity; };

static void reserve(struct builder *b, size_t more) {
    if (b->length + more + 1 <= b->capacity) return;
    while (b->length + more + 1 > b->capacity) b->capacity = b->capacity ? b->capacity * 2 : 8;
    b->text = realloc(b->text, b->capacity);
}

static void append(struct builder *b, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    reserve(b, (size_t)n);
    vsprintf(b->text + b->length, format, again);
    b->length += (size_t)n;
    va_end(again);
    va_end(list);
}

static void insert(struct builder *b, size_t at, const char *what) {
    size_t n = strlen(what);
    reserve(b, n);
    memmove(b->text + at + n, b->text + at, b->length - at + 1);
    memcpy(b->text + at, what, n);
    b->length += n;
}

static void replace(struct builder *b, const char *old, const char *new) {
    for (char *p = b->text; (p = strstr(p, old));) {
        size_t at = (size_t)(p - b->text);
        memmove(p, p + strlen(old), b->length - at - strlen(old) + 1);
        b->length -= strlen(old);
        insert(b, at, new);
        p = b->text + at + strlen(new);
    }
}

int main(void) {
    struct builder b = {NULL, 0, 0};
    for (int i = 0; i < 5; i++) append(&b, "%s%d=%x", i ? ", " : "", i, i * 1000);
    printf("%s\n", b.text);
    insert(&b, 0, "values: ");
    insert(&b, b.length, ".");
    replace(&b, ", ", " and ");
    replace(&b, "0", "");
    printf("%s %zu %zu\n", b.text, b.length, b.capacity);
    free(b.text);
    return 0;
}
