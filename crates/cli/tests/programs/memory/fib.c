// The Fibonacci benchmark with relaxed accesses. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 19
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 20
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 20
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 141
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 175
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 175
// check: -DN=4 --memory-model sc
// verdict: verified
// complete: 1107
// check: -DN=4 --memory-model tso
// verdict: verified
// complete: 1764
// check: -DN=4 --memory-model rc11
// verdict: verified
// complete: 1764
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
atomic_int x, y;
void *one(void *arg)
{
	for (int i = 0; i < N; i++)
		atomic_store_explicit(&x, atomic_load_explicit(&x, memory_order_relaxed) +
					  atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
	return 0;
}
void *two(void *arg)
{
	for (int i = 0; i < N; i++)
		atomic_store_explicit(&y, atomic_load_explicit(&x, memory_order_relaxed) +
					  atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
	return 0;
}
int main()
{
	pthread_t a, b;
	atomic_init(&x, 1);
	atomic_init(&y, 1);
	pthread_create(&a, 0, one, 0);
	pthread_create(&b, 0, two, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
