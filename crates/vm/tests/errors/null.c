// bug: null pointer at line 6
#include <stddef.h>
struct pair { int a, b; };
int main(void) {
    struct pair *p = NULL;
    return p->b;
}
