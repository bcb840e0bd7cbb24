// pthread: a bounded stack under a lock. The flag is set with the first push and never cleared, so that it says nothing of
// the stack having something in it: pop, and pop again.
// check: --property unreach-call -DBROKEN
// verdict: bug
// check: --property unreach-call
// verdict: verified
// check: --property no-data-race
// verdict: verified
// check: --property valid-memsafety
// verdict: verified
#include "verifier.h"
enum { SIZE = 2 };
static int top, stack[SIZE], flag;
MUTEX(m);
static void *producer(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        LOCK(m);
        stack[top++] = i;
        flag = 1;
        UNLOCK(m);
    }
    return 0;
}
static void *consumer(void *arg) {
    for (int i = 0; i < SIZE; i++) {
        LOCK(m);
#ifdef BROKEN
        if (flag) {
            check(top > 0);
            top--;
        }
#else
        if (flag && top > 0)
            check(stack[--top] < SIZE);
#endif
        UNLOCK(m);
    }
    return 0;
}
TWO_THREADS(producer, consumer)
