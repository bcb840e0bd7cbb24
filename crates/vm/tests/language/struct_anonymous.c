// Anonymous structs and unions, and a tagged union over them.
#include <stdio.h>

enum tag { NUMBER, PAIR, TEXT };
struct value {
    enum tag tag;
    union {
        long number;
        struct { short left, right; };
        const char *text;
    };
};

static void show(struct value v) {
    switch (v.tag) {
    case NUMBER: printf("number %ld\n", v.number); break;
    case PAIR: printf("pair %d %d\n", v.left, v.right); break;
    case TEXT: printf("text %s\n", v.text); break;
    }
}

static struct value twice(struct value v) {
    if (v.tag == NUMBER) v.number *= 2;
    if (v.tag == PAIR) v.left = (short)(v.left * 2), v.right = (short)(v.right * 2);
    return v;
}

int main(void) {
    struct value values[] = {{NUMBER, .number = -5}, {PAIR, {.left = 300, .right = -4}}, {.tag = TEXT, .text = "hi"}};
    for (int i = 0; i < 3; i++) {
        show(values[i]);
        show(twice(values[i]));
    }
    printf("%zu\n", sizeof(struct value));
    return 0;
}
