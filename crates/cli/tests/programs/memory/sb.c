// Store buffering around a ring of N threads. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 3
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 4
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 4
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 7
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 8
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 8
// check: -DN=4 --memory-model sc
// verdict: verified
// complete: 15
// check: -DN=4 --memory-model tso
// verdict: verified
// complete: 16
// check: -DN=4 --memory-model rc11
// verdict: verified
// complete: 16
// check: -DN=8 --memory-model sc
// verdict: verified
// complete: 255
// check: -DN=8 --memory-model tso
// verdict: verified
// complete: 256
// check: -DN=8 --memory-model rc11
// verdict: verified
// complete: 256
// check: -DN=3 -DFENCE --memory-model sc
// verdict: verified
// complete: 7
// check: -DN=3 -DFENCE --memory-model tso
// verdict: verified
// complete: 7
// check: -DN=3 -DFENCE --memory-model rc11
// verdict: verified
// complete: 7
// check: -DN=3 -DW=memory_order_seq_cst -DR=memory_order_seq_cst --memory-model sc
// verdict: verified
// complete: 7
// check: -DN=3 -DW=memory_order_seq_cst -DR=memory_order_seq_cst --memory-model tso
// verdict: verified
// complete: 7
// check: -DN=3 -DW=memory_order_seq_cst -DR=memory_order_seq_cst --memory-model rc11
// verdict: verified
// complete: 7
// check: -DN=3 -DW=memory_order_seq_cst --memory-model sc
// verdict: verified
// complete: 7
// check: -DN=3 -DW=memory_order_seq_cst --memory-model tso
// verdict: verified
// complete: 7
// check: -DN=3 -DW=memory_order_seq_cst --memory-model rc11
// verdict: verified
// complete: 8
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef W
#define W memory_order_relaxed
#endif
#ifndef R
#define R memory_order_relaxed
#endif
atomic_int x[N];
int r[N];
void *thread(void *arg)
{
	long i = (long)arg;
	atomic_store_explicit(&x[i], 1, W);
#ifdef FENCE
	atomic_thread_fence(memory_order_seq_cst);
#endif
	r[i] = atomic_load_explicit(&x[(i + 1) % N], R);
	return 0;
}
int main()
{
	pthread_t t[N];
	for (long i = 0; i < N; i++) pthread_create(&t[i], 0, thread, (void *)i);
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
	return 0;
}
