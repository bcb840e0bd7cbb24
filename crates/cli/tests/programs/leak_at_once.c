// A program that does nothing that another thread could notice leaks, too.
// check: --leaks
// verdict: bug
// bug: leak
// check:
// verdict: verified
// complete: 1
#include <stdlib.h>

int main(void) {
    return malloc(3) == 0; // <- bug
}
