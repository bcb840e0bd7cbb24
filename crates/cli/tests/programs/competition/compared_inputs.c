// Inputs that are only compared with constants, by whatever way they come there, have few values that differ: with one of each class
// everything was explored. A value that only one class has is found.
// check: --property no-data-race
// verdict: verified
// check: --property no-data-race -DWHEN=limit==1234567
// verdict: bug
// bug: data-race
// check: --property no-data-race -DWHEN=byte==200
// verdict: bug
// bug: data-race
// check: --property no-data-race -DWHEN=byte==200&&!is_large
// verdict: verified
// check: --property no-data-race -DWHEN=which<-2000000000
// verdict: bug
// bug: data-race
// check: --property no-data-race -DWHEN=which==4
// verdict: bug
// bug: data-race
//
// What is computed with, or compared with another one, has more values than can be tried.
// check: --property no-data-race -DWHEN=(limit*3)%1000==557
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DWHEN=limit==which+1000000
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DWHEN=lowest(&limit)*2==154
// verdict: incomplete
// cut: nondeterministic
#include "verifier.h"
extern unsigned char __VERIFIER_nondet_uchar(void);
#ifndef WHEN
#define WHEN 0
#endif

static int limit, shared;
static struct {
    int which, other;
} command;
MUTEX(m);

static int lowest(void *number) { return *(char *)number; }

static _Bool exceeds(unsigned char byte, int most) { return most == 1 ? byte > 199 : byte > 100; }

static void *thread(void *arg) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    int which = command.which;
    _Bool is_large = exceeds(byte, 1);
    if (WHEN) {
        shared++;
        return 0;
    }
    switch (which) {
    case 3:
    case 100:
        LOCK(m);
        shared++;
        UNLOCK(m);
        break;
    case -7:
        if (!is_large)
            break;
        LOCK(m);
        shared--;
        UNLOCK(m);
        break;
    default:
        break;
    }
    return 0;
}

int main(void) {
    pthread_t created;
    limit = __VERIFIER_nondet_int();
    command.which = __VERIFIER_nondet_int();
    if (limit < 0 || limit > 2000000)
        return 0;
    pthread_create(&created, 0, thread, 0);
    LOCK(m);
    shared++;
    UNLOCK(m);
    pthread_join(created, 0);
    return 0;
}
