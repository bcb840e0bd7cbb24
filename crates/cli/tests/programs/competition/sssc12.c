// pthread-lit: threads take slices of an array by a shared index, under a lock, and write them without it.
// check: --property unreach-call
// verdict: verified
// check: --property no-data-race
// verdict: verified
// check: --property no-data-race -DOVERLAP
// verdict: bug
// A global variable points to the memory in the end, which is tracked then, and not cleaned up.
// check: --property valid-memsafety
// verdict: verified
// check: --property valid-memcleanup
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DFREE
// verdict: verified
#include "verifier.h"
enum { LENGTH = 4 };
static int *data;
static volatile int next;
MUTEX(m);
static void *thread(void *arg) {
    int c, end;
    LOCK(m);
    if (next + 2 <= LENGTH) {
        c = next;
#ifdef OVERLAP
        next = next + 1;
#else
        next = next + 2;
#endif
        end = c + 2;
        UNLOCK(m);
        for (; c < end; c++) {
            data[c] = c;
            check(data[c] == c);
        }
    } else {
        UNLOCK(m);
    }
    return 0;
}
#undef AT_END
#ifdef FREE
#define AT_END free(data)
#endif
int main(void) {
    data = malloc(LENGTH * sizeof(int));
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, thread, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
#ifdef FREE
    free(data);
#endif
}
