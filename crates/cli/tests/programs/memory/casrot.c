// CAS rotation: thread i turns i into i+1. Counts confirmed by an independent tool.
// check: -DN=4 --memory-model sc
// verdict: verified
// complete: 14
// check: -DN=4 --memory-model tso
// verdict: verified
// complete: 14
// check: -DN=4 --memory-model rc11
// verdict: verified
// complete: 14
// check: -DN=6 --memory-model sc
// verdict: verified
// complete: 144
// check: -DN=6 --memory-model tso
// verdict: verified
// complete: 144
// check: -DN=6 --memory-model rc11
// verdict: verified
// complete: 144
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
atomic_int x;
void *thread(void *arg)
{
	int i = (int)(long)arg, j = i;
	atomic_compare_exchange_strong_explicit(&x, &j, i + 1, memory_order_acq_rel, memory_order_relaxed);
	return 0;
}
int main()
{
	pthread_t t[N];
	for (long i = 0; i < N; i++) pthread_create(&t[i], 0, thread, (void *)i);
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
	return 0;
}
