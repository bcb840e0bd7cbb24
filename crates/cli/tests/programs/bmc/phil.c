// The dining philosophers of TACAS 2008, Table 1: N of them (-DN=2), each eats once (or again and again, with -DFOREVER).
// One of them takes the sticks in the other order, so that there is no deadlock. Property pa (default): all eat at the
// same time, which is impossible. Property pb (-DPB): all have eaten, which is possible.
//
// A philosopher takes 7 steps and the observer 1, so that all have eaten after 7N + 1 steps: the depths of Table 1.
//
// bmc: -DN=2 --steps 15 --reduction full
// verdict: verified
// steps: 15
// bmc: -DN=2 -DPB --steps 15
// verdict: bug
// bug: assertion
// steps: 15
// bmc: -DN=2 -DPB --steps 14
// verdict: incomplete
// steps: 14
// cut: more than 14 steps
// bmc: -DN=2 -DINVARIANT --invariant invariant
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

void reach_error(void);

// A byte for each philosopher, which an observer sees all at once.
typedef union {
    _Atomic uint8_t of[4];
    _Atomic uint32_t all;
} flags;

pthread_mutex_t stick[N];
flags eating, eaten;

// The stick at the other hand of philosopher i.
static int other(int i, int s) { return s == i ? (i + 1) % N : i; }

static void *philosopher(void *argument) {
    int i = (int)(intptr_t)argument;
    int s = i == N - 1 ? 0 : i;
#ifdef FOREVER
    for (;;)
#endif
    {
        for (int hand = 0; hand < 2; hand++, s = other(i, s))
            pthread_mutex_lock(&stick[s]);
        atomic_store(&eating.of[i], 1);
        atomic_store(&eating.of[i], 0);
        for (int hand = 0; hand < 2; hand++, s = other(i, s))
            pthread_mutex_unlock(&stick[s]);
        atomic_store(&eaten.of[i], 1);
    }
    return 0;
}

// The first property, for --invariant.
int invariant(void) { return atomic_load(&eating.all) != 0x01010101u >> (32 - 8 * N); }

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)(intptr_t)i);
#ifdef INVARIANT
    return 0;
#endif
    uint32_t everybody = 0x01010101u >> (32 - 8 * N);
#ifdef PB
    if (atomic_load(&eaten.all) == everybody)
        reach_error();
#else
    if (atomic_load(&eating.all) == everybody)
        reach_error();
#endif
    return 0;
}
