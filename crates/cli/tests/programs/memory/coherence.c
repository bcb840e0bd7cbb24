// N writers of one variable, one thread that reads it twice. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 12
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 12
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 12
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 60
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 60
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 60
// check: -DN=5 --memory-model sc
// verdict: verified
// complete: 2520
// check: -DN=5 --memory-model tso
// verdict: verified
// complete: 2520
// check: -DN=5 --memory-model rc11
// verdict: verified
// complete: 2520
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
atomic_int x;
void *writer(void *arg) { atomic_store_explicit(&x, (long)arg, memory_order_relaxed); return 0; }
void *reader(void *arg)
{
	(void)atomic_load_explicit(&x, memory_order_relaxed);
	(void)atomic_load_explicit(&x, memory_order_relaxed);
	return 0;
}
int main()
{
	pthread_t t[N + 1];
	for (long i = 0; i < N; i++) pthread_create(&t[i], 0, writer, (void *)(i + 1));
	pthread_create(&t[N], 0, reader, 0);
	for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
	return 0;
}
