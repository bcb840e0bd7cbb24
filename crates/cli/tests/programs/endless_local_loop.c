// A loop that does nothing others could notice, for ever: odd numbers are never zero.
// check:
// verdict: incomplete
// bug: step-limit
// cut: in the loop at
// complete: 0
// failed: 0
int main(void) {
    for (unsigned i = 1; i != 0; i += 2) // <- bug
        ;
    return 0;
}
