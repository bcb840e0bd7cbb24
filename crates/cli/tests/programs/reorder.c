// N - 1 threads store a = 1, then b = -1; one asserts that it sees neither or both. Counts without the assertion
// were confirmed by an independent tool.
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
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef NO_ASSERTION
#define expect(condition) ((void)(condition))
#else
#define expect(condition) assert(condition)
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
    for (int i = 0; i < N - 1; i++)
        pthread_create(&thread[i], 0, set, 0);
    pthread_create(&thread[N - 1], 0, check, 0);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
