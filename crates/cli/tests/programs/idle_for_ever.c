// Loops that pass the time, but not for some time: one counts in a byte up to what no byte is, the other up to a number that
// nobody has set. Neither may be taken for one that ends.
// check: -DUNSET
// verdict: bug
// bug: uninitialised-value
// line: 15
#include <sched.h>

int main(void) {
#ifdef UNSET
    int most;
#else
    int most = 300;
#endif
    for (unsigned char i = 0; i < most; i++)
        sched_yield();
    return 0;
}
