// What depends on a variable that was not set, or on memory that was not, may be anything: what fails for some value is a violation.
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --property unreach-call -DONES
// verdict: bug
// bug: assertion
// check: --property no-data-race -DLOCAL
// verdict: bug
// bug: data-race
// check: --property unreach-call -DNEITHER
// verdict: incomplete
// cut: uninitialised
// check: --unset ones
// verdict: verified
// check: --unset zeros
// verdict: bug
// bug: assertion
#include "verifier.h"
#include <string.h>

static char *text;
static int shared;
MUTEX(m);

static void *makes(void *arg) {
    char *made = malloc(4);
    LOCK(m);
    text = made;
#ifdef LOCAL
    shared++;
#endif
    UNLOCK(m);
    return 0;
}

static void *fills(void *arg) {
    LOCK(m);
    if (text)
        strcpy(text, "abc");
    UNLOCK(m);
    return 0;
}

int main(void) {
    pthread_t made, filled;
    pthread_create(&made, 0, makes, 0);
    pthread_create(&filled, 0, fills, 0);
#ifdef LOCAL
    int is_locked;
    if (is_locked)
        LOCK(m);
    shared++;
    if (is_locked)
        UNLOCK(m);
#endif
    pthread_join(made, 0);
    pthread_join(filled, 0);
#if defined(ONES)
    check(text[0] != -1);
#elif defined(NEITHER)
    check(text[0] != 5);
#elif !defined(LOCAL)
    check(text[0] != 0);
#endif
    free(text);
    return 0;
}
