// pthread-ext: threads without number that go round for ever. That nothing fails cannot be told; what fails in the first rounds is
// found nevertheless, and so is what fails after very many of them.
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --property no-data-race
// verdict: bug
// bug: data-race
// check: --property unreach-call -DLOCKED --timeout 5
// verdict: incomplete
// check: --property unreach-call -DLONG
// verdict: bug
// bug: assertion
#include "verifier.h"
static int x;
MUTEX(m);
#ifdef LONG
static void *thread(void *arg) {
    for (int i = 0; i < 6000; i++) {
        LOCK(m);
        x++;
        UNLOCK(m);
    }
    return 0;
}
int main(void) {
    pthread_t created;
    pthread_create(&created, 0, thread, 0);
    pthread_join(created, 0);
    check(x != 6000);
    return 0;
}
#else
static void *thread(void *arg) {
    while (1) {
#ifdef LOCKED
        LOCK(m);
#endif
        x = 0;
        x = x + 1;
        check(x == 1);
#ifdef LOCKED
        UNLOCK(m);
#endif
    }
    return 0;
}
int main(void) {
    pthread_t created;
    while (1)
        pthread_create(&created, 0, thread, 0);
}
#endif
