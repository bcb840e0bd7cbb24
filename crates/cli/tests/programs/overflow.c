// Signed overflow is a failure if it is asked for; unsigned arithmetic wraps.
// check:
// verdict: verified
// check: --overflow
// verdict: bug
// bug: signed-overflow
// message: an addition
// check: --overflow -DUNSIGNED
// verdict: verified
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef UNSIGNED
#define TYPE unsigned
#define MOST UINT_MAX
#else
#define TYPE int
#define MOST INT_MAX
#endif

_Atomic TYPE x = MOST - 1;
TYPE seen;

static void *add(void *unused) {
    x++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    TYPE now = x;
    seen = now + 1; // <- bug
    pthread_join(thread, 0);
    return 0;
}
