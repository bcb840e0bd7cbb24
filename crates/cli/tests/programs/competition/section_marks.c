// What begins and ends an atomic section: functions that the program defines as stubs are those that are meant all the same, and
// they can be called by pointers.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DSTUBS
// verdict: verified
// check: --property unreach-call -DBY_POINTER
// verdict: verified
// check: --property unreach-call -DNO_SECTION
// verdict: bug
// bug: assertion
#include <pthread.h>
#include <stdlib.h>
#ifdef STUBS
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
#else
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#endif
static void reach_error(void) { abort(); }

static int x;
static void nothing(void) {}
#ifdef BY_POINTER
static void (*volatile begin)(void) = __VERIFIER_atomic_begin;
#elif defined(NO_SECTION)
static void (*begin)(void) = nothing;
#else
#define begin __VERIFIER_atomic_begin
#endif

static void *thread(void *arg) {
    nothing();
    begin();
    x = 1;
    x = 0;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t created;
    pthread_create(&created, 0, thread, 0);
    if (x == 1)
        reach_error();
    return 0;
}
