// N - 1 threads store a = 1, then b = -1; one (-DREADERS=1) asserts that it sees neither or both. Counts without the
// assertion were confirmed by an independent tool.
// check: -DN=3
// verdict: bug
// bug: assertion
// check: -DN=5
// verdict: bug
// bug: assertion
// check: -DN=10 --algorithm random
// verdict: bug
// bug: assertion
// check: -DN=3 -DNO_ASSERTION
// verdict: verified
// complete: 56
// check: -DN=4 -DNO_ASSERTION
// verdict: verified
// complete: 1248
// check: -DN=3 --max-executions 3 --algorithm reads-from
// verdict: bug
// bug: assertion
// check: -DN=4 --max-executions 4 --algorithm reads-from
// verdict: bug
// bug: assertion
// check: -DN=5 --max-executions 5 --algorithm reads-from
// verdict: bug
// bug: assertion
// check: -DN=10 --max-executions 10 --algorithm reads-from
// verdict: bug
// bug: assertion
// check: -DN=20 -DREADERS=10 --max-executions 2 --algorithm reads-from
// verdict: bug
// bug: assertion
// check: -DN=3 -DNO_ASSERTION --algorithm reads-from
// verdict: verified
// complete: 21
// redundant: 0
// check: -DN=4 -DNO_ASSERTION --algorithm reads-from
// verdict: verified
// complete: 64
// redundant: 0
// check: -DN=5 -DNO_ASSERTION --algorithm reads-from
// verdict: verified
// complete: 145
// redundant: 0
// check: -DN=10 -DNO_ASSERTION --algorithm reads-from
// verdict: verified
// complete: 1540
// redundant: 0
// check: -DN=3 -DNO_ASSERTION --algorithm observers
// verdict: verified
// complete: 47
// check: -DN=4 -DNO_ASSERTION --algorithm observers
// verdict: verified
// complete: 580
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef NO_ASSERTION
#define expect(condition) ((void)(condition))
#else
#define expect(condition) assert(condition)
#endif

#ifndef READERS
#define READERS 1
#endif

atomic_int a, b;

static void *set(void *unused) {
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    return 0;
}

static void *check(void *unused) {
    int good = (atomic_load(&a) == 0 && atomic_load(&b) == 0) || (atomic_load(&a) == 1 && atomic_load(&b) == -1);
    expect(good); // <- bug
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], 0, i < N - READERS ? set : check, 0);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
