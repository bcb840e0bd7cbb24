// no-overflow: a counter that several raise, from near its end; a product; a negation; unsigned ones wrap, and are right.
// check: --property no-overflow -DSTART=2147483645
// verdict: verified
// check: --property no-overflow -DSTART=2147483646
// verdict: bug
// check: --property no-overflow -DSTART=0 -DPRODUCT
// verdict: bug
// check: --property no-overflow -DSTART=0 -DNEGATION
// verdict: bug
// check: --property no-overflow -DSTART=0 -DUNSIGNED
// verdict: verified
// check: --property no-overflow -DSTART=0 -DSHORT
// verdict: verified
#include "verifier.h"
MUTEX(m);
static int counter = START, one_more = -2147483647 - 1;
static unsigned wraps = 4294967295u;
static short narrow = 32767;
static void *thread(void *arg) {
    LOCK(m);
    counter++;
#ifdef PRODUCT
    /* 32768 * 256 * 256 = 2^31, when both have been here. */
    static int product = 32768;
    product *= 256;
#endif
#ifdef NEGATION
    one_more = -one_more;
#endif
#ifdef UNSIGNED
    wraps++;
#endif
#ifdef SHORT
    narrow++; /* int arithmetic, and a conversion that is implementation-defined */
#endif
    UNLOCK(m);
    return 0;
}
TWO_THREADS(thread, thread)
