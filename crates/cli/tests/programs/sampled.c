// Numbers can only be sampled, so nothing is verified; booleans are tried exhaustively.
// check: -DNUMBER
// verdict: incomplete
// cut: only tried as
// check:
// verdict: verified
// complete: 2
#include <assert.h>
#include <stdbool.h>

int __VERIFIER_nondet_int(void);
bool __VERIFIER_nondet_bool(void);

int main(void) {
#ifdef NUMBER
    int value = __VERIFIER_nondet_int();
#else
    int value = __VERIFIER_nondet_bool();
#endif
    assert(value * 2 == value + value);
    return 0;
}
