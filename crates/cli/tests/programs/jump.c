// Jumps out of functions are named as unsupported.
// check:
// verdict: error
// message: setjmp
#include <setjmp.h>

jmp_buf target;

int main(void) {
    return setjmp(target);
}
