// Tickets are taken in an atomic function, or, which is wrong, in one that is not: two threads have the same.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DNOT_ATOMIC
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>

#ifdef NOT_ATOMIC
#define take_ticket take
#else
#define take_ticket __VERIFIER_atomic_take
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

volatile unsigned next, serving;
int counter;

unsigned take_ticket(void) {
    unsigned mine = next;
    next = mine + 1;
    return mine;
}

static void lock(void) {
    unsigned mine = take_ticket();
    int is_mine;
    do {
        __VERIFIER_atomic_begin();
        is_mine = serving == mine;
        __VERIFIER_atomic_end();
    } while (!is_mine);
}

static void unlock(void) {
    __VERIFIER_atomic_begin();
    serving++;
    __VERIFIER_atomic_end();
}

static void *thread(void *unused) {
    lock();
    int before = counter;
    counter = before + 1;
    unlock();
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(counter == 3);
    return 0;
}
