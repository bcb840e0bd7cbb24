// Exchanges and loads that wait, under the names that Nidhugg gives them. The flag is set by one thread, and then exchanged
// and read by `main`: there is one way. As assumptions, the load may come too early, and then nothing comes of it; once it
// has found 1, so does the exchange.
// check: -DFLAG
// verdict: verified
// complete: 1
// blocked: 0
// check: -DFLAG --loops assume
// verdict: verified
// complete: 1
// blocked: 1
// Four threads add 2, 4, 3 and 1, and `main` exchanges once the sum is 7: after 4 and 3, or after 2, 4 and 1; or all of
// them come first, the sum is 10, and it waits for ever. The order of the adds before it makes no difference, nor does
// that of those after it.
// check: -DSUM
// verdict: verified
// complete: 2
// blocked: 1
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define AWAIT_COND_EQ 2
#define AWAIT_COND_SGE 11
int __VERIFIER_xchg_await_aint(atomic_int *variable, int new_value, int condition, int operand);
int __VERIFIER_load_await_aint(atomic_int *variable, int condition, int operand);

atomic_int x;

static void *add(void *argument) {
    atomic_fetch_add(&x, (int)(intptr_t)argument);
    return 0;
}

static void *set(void *argument) {
    x = 1;
    return argument;
}

int main(void) {
#ifdef SUM
    static const int summands[] = {2, 4, 3, 1};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, add, (void *)(intptr_t)summands[i]);
    __VERIFIER_xchg_await_aint(&x, 999, AWAIT_COND_EQ, 7);
#else
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int loaded = __VERIFIER_load_await_aint(&x, AWAIT_COND_SGE, 1);
    int exchanged = __VERIFIER_xchg_await_aint(&x, 3, AWAIT_COND_EQ, 1);
    if (loaded != 1 || exchanged != 1 || x != 3) __builtin_trap();
    pthread_join(thread, 0);
#endif
    return 0;
}
