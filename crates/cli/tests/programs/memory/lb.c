// Load buffering around a ring of N threads. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 3
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 3
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 3
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 7
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 7
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 7
// check: -DN=6 --memory-model sc
// verdict: verified
// complete: 63
// check: -DN=6 --memory-model tso
// verdict: verified
// complete: 63
// check: -DN=6 --memory-model rc11
// verdict: verified
// complete: 63
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
atomic_int x[N];
void *thread(void *arg)
{
	long i = (long)arg;
	(void)atomic_load_explicit(&x[i], memory_order_relaxed);
	atomic_store_explicit(&x[(i + 1) % N], 1, memory_order_relaxed);
	return 0;
}
int main()
{
	pthread_t t[N];
	for (long i = 0; i < N; i++) pthread_create(&t[i], 0, thread, (void *)i);
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
	return 0;
}
