// Independent reads of N independent writes, by two readers in opposite orders. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 15
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 15
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 16
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 54
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 54
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 64
// check: -DN=6 --memory-model sc
// verdict: verified
// complete: 2187
// check: -DN=6 --memory-model tso
// verdict: verified
// complete: 2187
// check: -DN=6 --memory-model rc11
// verdict: verified
// complete: 4096
// check: -DN=2 -DW=memory_order_seq_cst -DR=memory_order_seq_cst --memory-model rc11
// verdict: verified
// complete: 15
// check: -DN=3 -DW=memory_order_seq_cst -DR=memory_order_seq_cst --memory-model rc11
// verdict: verified
// complete: 54
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef W
#define W memory_order_release
#endif
#ifndef R
#define R memory_order_acquire
#endif
atomic_int x[N];
void *writer(void *arg) { atomic_store_explicit(&x[(long)arg], 1, W); return 0; }
void *up(void *arg) { for (int i = 0; i < N; i++) (void)atomic_load_explicit(&x[i], R); return 0; }
void *down(void *arg) { for (int i = N - 1; i >= 0; i--) (void)atomic_load_explicit(&x[i], R); return 0; }
int main()
{
	pthread_t t[N + 2];
	for (long i = 0; i < N; i++) pthread_create(&t[i], 0, writer, (void *)i);
	pthread_create(&t[N], 0, up, 0);
	pthread_create(&t[N + 1], 0, down, 0);
	for (int i = 0; i < N + 2; i++) pthread_join(t[i], 0);
	return 0;
}
