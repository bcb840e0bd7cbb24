// The program gives up.
// check:
// verdict: bug
// bug: abort
#include <stdlib.h>

int main(void) {
    abort(); // <- bug
}
