// Waiting by the functions that the tool of FMCAD 2022 offers: a load, and an exchange, that take place once what they find
// is in a relation to an operand. The bits of the relation: signed 8, less 4, equal 2, greater 1.
//
// An exchange that waits until x is 7 while four threads add 1, 2, 3 and 4. It can take place after {3, 4}, in 2 orders,
// with 2 of the others after it, and after {1, 2, 4}, in 6 orders: 10 executions. In each of the 24 orders of the adds it
// may miss its time, and waits for ever.
// check: --commuting-adds off
// verdict: verified
// complete: 10
// blocked: 24
// check: --commuting-adds off --loops plain
// verdict: verified
// complete: 10
// blocked: 24
//
// Adds that commute are not ordered. Which of them come before the exchange makes two executions, and the one in which all
// of them do is the third.
// check:
// verdict: verified
// complete: 2
// blocked: 1
//
// The solver says the same. Four threads and the first one take a step each.
// bmc: --steps 20
// verdict: verified
// steps: 5
//
// A load that waits until two threads have counted up to two at least, by a function with the relation as an argument; and
// by one that is not known before the program runs.
// check: -DLOAD
// verdict: verified
// complete: 1
// bmc: -DLOAD --steps 20
// verdict: verified
// check: -DVARIABLE
// verdict: verified
// complete: 1
// check: -DVARIABLE --commuting-adds off
// verdict: verified
// complete: 2
// bmc: -DVARIABLE --steps 20
// verdict: verified
//
// With one that never holds, both orders of the threads end with a wait. With one that always does, the load is before,
// between or after the adds in each of them.
// check: -DVARIABLE -DRELATION=8 --commuting-adds off
// verdict: verified
// complete: 0
// blocked: 2
// check: -DVARIABLE -DRELATION=7 --commuting-adds off
// verdict: bug
// bug: assertion
// check: -DVARIABLE -DRELATION=7 -DANY --commuting-adds off
// verdict: verified
// complete: 6
// bmc: -DVARIABLE -DRELATION=8 --steps 20
// verdict: verified
// bmc: -DVARIABLE -DRELATION=7 --steps 20
// verdict: bug
// bug: assertion
//
// With the relation of unsigned values, -1 is not less than 1, and the assertion after it is not reached.
// check: -DUNSIGNED
// verdict: verified
// complete: 0
// blocked: 1
// bmc: -DUNSIGNED --steps 20
// verdict: verified
// check: -DSIGNED
// verdict: bug
// bug: assertion
// bmc: -DSIGNED --steps 20
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

int __VERIFIER_xchg_await_aint(atomic_int *var, int value, int condition, int operand);
int __VERIFIER_load_await_aint(atomic_int *var, int condition, int operand);
enum { EQ = 2, GE = 11, ULT = 4, SLT = 12 };

atomic_int x;
#ifndef RELATION
#define RELATION GE
#endif
int relation = RELATION;

static int wait_for(int condition, int operand) { return __VERIFIER_load_await_aint(&x, condition, operand); }

static void *add(void *argument) {
    atomic_fetch_add(&x, (int)(intptr_t)argument);
    return 0;
}

int main(void) {
    pthread_t thread;
#if defined(LOAD)
    pthread_create(&thread, 0, add, (void *)1);
    pthread_create(&thread, 0, add, (void *)1);
    assert(wait_for(GE, 2) == 2);
#elif defined(UNSIGNED) || defined(SIGNED)
    x = -1;
#ifdef SIGNED
    wait_for(SLT, 1);
#else
    wait_for(ULT, 1);
#endif
    assert(0);
#elif defined(VARIABLE)
    pthread_create(&thread, 0, add, (void *)1);
    pthread_create(&thread, 0, add, (void *)1);
    int found = __VERIFIER_load_await_aint(&x, relation, 2);
#ifndef ANY
    assert(found == 2);
#endif
#else
    for (intptr_t i = 1; i <= 4; i++)
        pthread_create(&thread, 0, add, (void *)i);
    assert(__VERIFIER_xchg_await_aint(&x, 999, EQ, 7) == 7);
#endif
    return 0;
}
