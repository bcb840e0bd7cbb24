// A loop that only counts, and never looks at the number, spins for ever.
// check:
// verdict: bug
// bug: livelock
int main(void) {
    for (unsigned i = 0;; i++) // <- bug
        ;
    return 0;
}
