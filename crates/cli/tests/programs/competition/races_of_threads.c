// goblint-regression: what is ordered without locks: before a thread is created, after it is joined, by the thread itself,
// by a once, by a key of each thread, by a barrier; and what is not.
// check: --property no-data-race -DCREATED
// verdict: verified
// check: --property no-data-race -DAFTER_CREATE
// verdict: bug
// check: --property no-data-race -DJOINED
// verdict: verified
// check: --property no-data-race -DOTHER_JOINED
// verdict: bug
// check: --property no-data-race -DOWN
// verdict: verified
// check: --property no-data-race -DONCE
// verdict: verified
// check: --property no-data-race -DBARRIER
// verdict: verified
// check: --property no-data-race -DBARRIER -DWRONG
// verdict: bug
// check: --property no-data-race -DATOMIC_FLAG
// verdict: verified
// check: --property no-data-race -DPLAIN_FLAG
// verdict: bug
// check: --property no-data-race -DNESTED
// verdict: verified
// check: --property no-data-race -DBITFIELD
// verdict: bug
// check: --property no-data-race -DMEMBERS
// verdict: verified
#include "verifier.h"
#include <stdatomic.h>
static int g;
static __thread int own;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static atomic_int ready;
static int plain_ready;
static struct { unsigned a : 4, b : 4; } bits;
static struct { char a, b; } members;
static void init(void) { g = 1; }
static void *child(void *arg) { g = 5; return 0; }
static void *thread(void *arg) {
#if defined(CREATED) || defined(AFTER_CREATE) || defined(JOINED) || defined(OTHER_JOINED)
    g++;
#elif defined(OWN)
    own++;
#elif defined(ONCE)
    pthread_once(&once, init);
    check(g == 1);
#elif defined(BARRIER)
    if (arg)
        g = 1;
    pthread_barrier_wait(&barrier);
#ifdef WRONG
    g = 2;
#else
    check(g == 1);
#endif
#elif defined(ATOMIC_FLAG)
    if (arg) {
        g = 1;
        ready = 1;
    } else if (ready) {
        g = 2;
    }
#elif defined(PLAIN_FLAG)
    if (arg) {
        g = 1;
        plain_ready = 1;
    } else if (plain_ready) {
        g = 2;
    }
#elif defined(NESTED)
    if (arg) {
        pthread_t t;
        pthread_create(&t, 0, child, 0);
        pthread_join(t, 0);
        g++;
    }
#elif defined(BITFIELD)
    if (arg)
        bits.a = 1;
    else
        bits.b = 1;
#elif defined(MEMBERS)
    if (arg)
        members.a = 1;
    else
        members.b = 1;
#endif
    return 0;
}
int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&barrier, 0, 2);
#ifdef CREATED
    g = 1;
#endif
    pthread_create(&one, 0, thread, (void *)1);
#ifdef AFTER_CREATE
    g = 1;
#endif
#if defined(JOINED) || defined(CREATED)
    pthread_join(one, 0);
    g++;
#endif
    pthread_create(&two, 0, thread, 0);
#if defined(OTHER_JOINED)
    pthread_join(two, 0);
    g++;
    pthread_join(one, 0);
#else
#if !defined(JOINED) && !defined(CREATED)
    pthread_join(one, 0);
#endif
    pthread_join(two, 0);
    g++;
#endif
    own++;
}
