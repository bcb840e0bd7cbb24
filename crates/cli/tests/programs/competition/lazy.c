// pthread: three threads under one mutex; data is 3 only if the one that adds two comes after the one that adds one (or the
// other way around) and before the one that looks.
// check: --property unreach-call
// verdict: bug
// check: --property no-data-race
// verdict: verified
#include "verifier.h"
MUTEX(m);
static int data;
static void *one(void *arg) { LOCK(m); data++; UNLOCK(m); return 0; }
static void *two(void *arg) { LOCK(m); data += 2; UNLOCK(m); return 0; }
static void *look(void *arg) { LOCK(m); if (data >= 3) reach_error(); UNLOCK(m); return 0; }
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_create(&c, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
}
