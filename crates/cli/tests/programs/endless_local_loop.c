// A loop that does nothing others could notice, for ever.
// check:
// verdict: incomplete
// bug: step-limit
// cut: in the loop at
int main(void) {
    for (unsigned i = 0;; i++) // <- bug
        ;
    return 0;
}
