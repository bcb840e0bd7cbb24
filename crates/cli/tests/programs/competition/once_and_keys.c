// A key that is made once, and what threads keep under it: its destructor frees it; without one it is lost.
// check: --property unreach-call
// verdict: verified
// check: --property no-data-race
// verdict: verified
// check: --property valid-memsafety
// verdict: verified
// check: --property valid-memsafety -DKEPT
// verdict: bug
// bug: leak
#include "verifier.h"
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int made;
static void make(void) {
#ifdef KEPT
    pthread_key_create(&key, 0);
#else
    pthread_key_create(&key, free);
#endif
    made++;
}
static void *thread(void *number) {
    pthread_once(&once, make);
    long *mine = malloc(sizeof *mine);
    *mine = (long)number;
    pthread_setspecific(key, mine);
    check(*(long *)pthread_getspecific(key) == (long)number && made == 1);
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, thread, (void *)1);
    pthread_create(&two, 0, thread, (void *)2);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
