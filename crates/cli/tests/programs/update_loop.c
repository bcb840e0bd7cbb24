// N threads change a variable by compare-exchanges, each of which begins with what the one before has found. A round that
// fails leaves a value that the load before the loop could have found: FMCAD 2022, Sect. III, has it as a change, but its
// tool does not. Source of the counts for five threads: FMCAD 2022's tool. Those who end do so one after the other: N!.
// check: -DN=5
// verdict: verified
// complete: 120
// blocked: 1185
// check: -DN=3 --algorithm source
// verdict: verified
// complete: 6
// check: -DN=4 --loops assume
// verdict: verified
// complete: 24
// check: -DN=4 -O1
// verdict: verified
// complete: 24
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static void *update(void *unused) {
    int expected = shared;
    while (!atomic_compare_exchange_strong(&shared, &expected, expected + 1))
        ;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < N; i++)
        pthread_create(&thread, 0, update, 0);
    return 0;
}
