// A struct that ends in an array of any length.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet { unsigned short kind; unsigned length; char data[]; };

static struct packet *make(unsigned short kind, const char *text) {
    unsigned length = (unsigned)strlen(text);
    struct packet *p = malloc(sizeof *p + length + 1);
    p->kind = kind;
    p->length = length;
    memcpy(p->data, text, length + 1);
    return p;
}

static struct packet *join(const struct packet *a, const struct packet *b) {
    struct packet *p = malloc(sizeof *p + a->length + b->length + 1);
    *p = *a;
    p->length += b->length;
    strcpy(p->data, a->data);
    strcpy(p->data + a->length, b->data);
    return p;
}

int main(void) {
    struct packet *a = make(1, "flexible "), *b = make(2, "members"), *c = join(a, b);
    printf("%zu %u %u %s|%s|%s\n", sizeof *a, c->kind, c->length, a->data, b->data, c->data);
    c = realloc(c, sizeof *c + 100);
    strcat(c->data, " grow");
    printf("%s\n", c->data);
    free(a);
    free(b);
    free(c);
    return 0;
}
