// A jump back into a function that is still there, and one into a function that has returned.
// check:
// verdict: verified
// check: -DGONE
// verdict: bug
// bug: misuse
// message: has returned
#include <assert.h>
#include <setjmp.h>

jmp_buf target;

static int returns(void) {
    return setjmp(target);
}

static void jumps(void) {
    longjmp(target, 3);
}

int main(void) {
#ifdef GONE
    returns();
    jumps();
#else
    int result = setjmp(target);
    if (result == 0)
        jumps();
    assert(result == 3);
#endif
    return 0;
}
