// Data behind a volatile flag, with barriers for the compiler alone. Where stores are seen in the order of their thread, and loads are
// made in that order, as on x86, that is enough; the language has it as a data race.
// check: --volatile atomic --memory-model tso
// verdict: verified
// complete: 2
// check: --volatile atomic --memory-model tso -DBARRIER=atomic_signal_fence(memory_order_seq_cst)
// verdict: verified
// complete: 2
// check: --volatile atomic
// verdict: bug
// bug: data-race
// check: --volatile atomic -DBARRIER=atomic_signal_fence(memory_order_seq_cst)
// verdict: bug
// bug: data-race
// The compiler may move what no barrier keeps in its place.
// check: --volatile atomic --memory-model tso -DBARRIER=(void)0
// verdict: bug
// bug: data-race
// Where each variable has its own store buffer, the flag may be seen first.
// check: --volatile atomic --memory-model pso
// verdict: bug
// bug: data-race
// check: --volatile atomic --memory-model pso --races off
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BARRIER
#define BARRIER __asm__ volatile("" : : : "memory")
#endif

static int data;
static volatile int flag;

static void *publish(void *unused) {
    data = 1;
    BARRIER;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, publish, 0);
    if (flag) {
        BARRIER;
        assert(data == 1);
    }
    pthread_join(thread, 0);
}
