// A loop that passes the time, up to a number that nobody has set: it may not be taken for one that ends.
// check:
// verdict: bug
// bug: uninitialised
#include <sched.h>

int main(void) {
    int most;
    for (int i = 0; i < most; i++) // <- bug
        sched_yield();
    return 0;
}
