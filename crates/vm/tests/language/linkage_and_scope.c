// Shadowing, block scopes, extern declarations inside functions, names in different name spaces.
#include <stdio.h>

int shared = 1;
static int hidden = 2;
struct name { int name; };
typedef struct name name_t;

static int peek(void) {
    extern int shared;
    return shared;
}

static int shadow(int shared) {
    int total = shared;
    {
        int shared = total * 10;
        total += shared;
        {
            extern int shared;
            total += shared;
        }
    }
    for (int shared = 0; shared < 3; shared++) total += shared;
    return total + shared;
}

int main(void) {
    struct name name = {5};
    name_t other = {.name = name.name + 1};
    int hidden_here = hidden;
    {
        int hidden = 50;
        hidden_here += hidden;
    }
    shared = 7;
    printf("%d %d %d %d\n", peek(), shadow(3), hidden_here, other.name);
    enum { hidden = 99 };
    printf("%d\n", hidden);
    goto name;
name:
    printf("%d\n", name.name);
    typedef char hidden_type[hidden];
    printf("%zu\n", sizeof(hidden_type));
    return 0;
}
