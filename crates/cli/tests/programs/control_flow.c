// N threads write a variable and look for a signal. Another thread reads the variable and tells a third one whether it was
// still the first value; only then does that one signal. What N threads find depends on the way that two others take: N
// times 2 ways after a write was read, and 2^N + 1 if none was, for each order of the writes, which nobody sees in full.
// Source of the counts: OOPSLA 2019, Table 3. The paper does not show the program: this one was made from
// its numbers, which are N!(2^N + 2N + 1), (N + 1)2^N + 1 and 2^N + 2N + 1.
// check: -DN=5 --algorithm optimal
// verdict: verified
// complete: 5160
// redundant: 0
// check: -DN=5 --algorithm observers
// verdict: verified
// complete: 193
// check: -DN=7 --algorithm observers
// verdict: verified
// complete: 1025
// check: -DN=5 --algorithm reads-from
// verdict: verified
// complete: 43
// check: -DN=7 --algorithm reads-from
// verdict: verified
// complete: 143
#include <pthread.h>
#include <stdatomic.h>

static atomic_int written, told, signal;

static void *writer(void *unused) {
    atomic_store(&written, 1);
    atomic_load(&signal);
    return 0;
}

static void *teller(void *unused) {
    atomic_store(&told, atomic_load(&written) ? 2 : 1);
    return 0;
}

static void *signaller(void *unused) {
    if (atomic_load(&told) == 1)
        atomic_store(&signal, 1);
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, writer, 0);
    pthread_create(&thread, 0, teller, 0);
    pthread_create(&thread, 0, signaller, 0);
    return 0;
}
