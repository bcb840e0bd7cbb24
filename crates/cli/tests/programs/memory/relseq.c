// A release sequence through N relaxed increments of other threads. Counts confirmed by an independent tool.
// Interleavings are explored by `optimal`, for which increments whose results are not used commute unless it is told not to:
// fewer executions, with the same verdict. In execution graphs each increment has its place.
// check: -DN=1 --memory-model sc --commuting-adds=off
// verdict: verified
// complete: 6
// check: -DN=1 --memory-model tso
// verdict: verified
// complete: 6
// check: -DN=1 --memory-model rc11
// verdict: verified
// complete: 6
// check: -DN=2 --memory-model sc --commuting-adds=off
// verdict: verified
// complete: 26
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 26
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 26
// check: -DN=3 --memory-model sc --commuting-adds=off
// verdict: verified
// complete: 138
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 138
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 138
// check: -DN=5 --memory-model sc --commuting-adds=off
// verdict: verified
// complete: 6240
// check: -DN=5 --memory-model tso
// verdict: verified
// complete: 6240
// check: -DN=5 --memory-model rc11
// verdict: verified
// complete: 6240
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 1
#endif
atomic_int data, flag;
void *writer(void *arg)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_release);
	return 0;
}
void *adder(void *arg) { (void)atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed); return 0; }
void *reader(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_acquire) > 1) (void)atomic_load_explicit(&data, memory_order_relaxed);
	return 0;
}
int main()
{
	pthread_t t[N + 2];
	pthread_create(&t[0], 0, writer, 0);
	for (int i = 0; i < N; i++) pthread_create(&t[i + 1], 0, adder, 0);
	pthread_create(&t[N + 1], 0, reader, 0);
	for (int i = 0; i < N + 2; i++) pthread_join(t[i], 0);
	return 0;
}
