// Ten threads. The first looks whether the log is open, and then writes to it; the last closes it; the others draw tickets, in
// 16! / 2^8 orders, about 8 * 10^10. The log is used after it is closed if the first thread, which mostly comes first, is
// interrupted by the last: whoever explores one order after the other comes to that in the end.
// check: --algorithm optimal --timeout 1s
// verdict: incomplete
// check: --algorithm pct
// verdict: bug
// bug: assertion
// check: --algorithm portfolio
// verdict: bug
// bug: assertion
// note: of the portfolio
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define DRAWING 8

atomic_int is_open = 1, log_file = 3, tickets;

static void *logs(void *unused) {
    if (atomic_load(&is_open))
        assert(atomic_load(&log_file) != 0); // <- bug
    return 0;
}

static void *draws(void *unused) {
    int first = atomic_fetch_add(&tickets, 1);
    int second = atomic_fetch_add(&tickets, 1);
    assert(first < second);
    return 0;
}

static void *closes(void *unused) {
    atomic_store(&is_open, 0);
    atomic_store(&log_file, 0);
    return 0;
}

int main(void) {
    pthread_t threads[DRAWING + 2];
    pthread_create(&threads[0], 0, logs, 0);
    for (int i = 1; i <= DRAWING; i++)
        pthread_create(&threads[i], 0, draws, 0);
    pthread_create(&threads[DRAWING + 1], 0, closes, 0);
    for (int i = 0; i < DRAWING + 2; i++)
        pthread_join(threads[i], 0);
}
