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
// A relation that is not known before the program runs is not modelled.
// check: -DVARIABLE
// verdict: error
// message: __VERIFIER_load_await_aint
//
// A load that waits until another thread has counted up to two at least, by a function with the relation as an argument.
// check: -DLOAD
// verdict: verified
// complete: 1
//
// With the relation of unsigned values, -1 is not less than 1, and the assertion after it is not reached.
// check: -DUNSIGNED
// verdict: verified
// complete: 0
// blocked: 1
// check: -DSIGNED
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
    for (int i = 1; i <= 2; i++)
        __VERIFIER_load_await_aint(&x, i + x, 0);
#else
    for (intptr_t i = 1; i <= 4; i++)
        pthread_create(&thread, 0, add, (void *)i);
    assert(__VERIFIER_xchg_await_aint(&x, 999, EQ, 7) == 7);
#endif
    return 0;
}
