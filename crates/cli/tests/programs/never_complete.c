// All executions stop at an assumption that does not hold: the verdict says that this says little.
// check:
// verdict: verified
// complete: 0
// blocked: 1
// note: no execution gets to the end
#include <assert.h>

void __VERIFIER_assume(int);

int main(void) {
    int x = 1;
    __VERIFIER_assume(x == 2);
    assert(0);
    return 0;
}
