// A function that promises to return something, and ends without doing so.
// check:
// verdict: bug
// bug: abort
// message: without `return`
// check: -DPOSITIVE
// verdict: verified
int sign(int x) {
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
}

int main() {
#ifdef POSITIVE
    return sign(3) - 1;
#else
    return sign(0);
#endif
}
