// Something is freed that was not allocated.
// check:
// verdict: bug
// bug: invalid-free
#include <stdlib.h>

int global;

int main(void) {
    free(&global); // <- bug
    return 0;
}
