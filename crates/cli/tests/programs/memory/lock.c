// N threads increment under a test-and-set lock taken by awaiting its release. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 2
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 2
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 2
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 6
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 6
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 6
// check: -DN=5 --memory-model sc
// verdict: verified
// complete: 120
// check: -DN=5 --memory-model tso
// verdict: verified
// complete: 120
// check: -DN=5 --memory-model rc11
// verdict: verified
// complete: 120
// check: -DN=2 -DACQ=memory_order_relaxed --memory-model rc11
// verdict: bug
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifndef N
#define N 2
#endif
#ifndef REL
#define REL memory_order_release
#endif
#ifndef ACQ
#define ACQ memory_order_acquire
#endif
atomic_int held;
int data;
void *thread(void *arg)
{
	int expected;
	do { expected = 0; } while (!atomic_compare_exchange_strong_explicit(&held, &expected, 1, ACQ, memory_order_relaxed));
	data++;
	atomic_store_explicit(&held, 0, REL);
	return 0;
}
int main()
{
	pthread_t t[N];
	for (int i = 0; i < N; i++) pthread_create(&t[i], 0, thread, 0);
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
	assert(data == N);
	return 0;
}
