// bug: uninitialised value at line 5
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof *p);
    if (p[1] == 3)
        return 1;
    return 0;
}
