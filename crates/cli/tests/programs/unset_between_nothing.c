// What decides has no value, and neither way does anything: one is no call at all, and the other only passes the time.
// check:
// verdict: bug
// bug: uninitialised
// check: -DNOTHING
// verdict: bug
// bug: uninitialised
// check: -DCOUNTS
// verdict: bug
// bug: uninitialised
#include <sched.h>

static inline void pause_if(int is_wanted) {
#ifdef COUNTS
    for (int i = 0; i < is_wanted; i++)
        ;
#else
    if (is_wanted)
#ifdef NOTHING
        ;
#else
        sched_yield();
#endif
#endif
}

int main(void) {
    int unset;
    pause_if(unset);
}
