// A function without a prototype can be called with anything; what does not fit is named.
// bmc: --steps 5
// verdict: error
// message: the arguments of `__VERIFIER_assume` do not fit
void __VERIFIER_assume();

int main(void) {
    __VERIFIER_assume();
    return 0;
}
