// Message passing to N readers. Counts confirmed by an independent tool.
// check: -DN=1 --memory-model sc
// verdict: verified
// complete: 2
// check: -DN=1 --memory-model tso
// verdict: verified
// complete: 2
// check: -DN=1 --memory-model rc11
// verdict: verified
// complete: 2
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 4
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 4
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 4
// check: -DN=9 --memory-model sc
// verdict: verified
// complete: 512
// check: -DN=9 --memory-model tso
// verdict: verified
// complete: 512
// check: -DN=9 --memory-model rc11
// verdict: verified
// complete: 512
// check: -DN=2 -DW=memory_order_relaxed --memory-model sc
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed --memory-model tso
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed --memory-model rc11
// verdict: verified
// complete: 9
// check: -DN=9 -DW=memory_order_relaxed --memory-model sc
// verdict: verified
// complete: 512
// check: -DN=9 -DW=memory_order_relaxed --memory-model tso
// verdict: verified
// complete: 512
// check: -DN=9 -DW=memory_order_relaxed --memory-model rc11
// verdict: verified
// complete: 19683
// check: -DN=2 -DW=memory_order_relaxed -DR=memory_order_relaxed -DWFENCE -DRFENCE --memory-model sc
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed -DR=memory_order_relaxed -DWFENCE -DRFENCE --memory-model tso
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed -DR=memory_order_relaxed -DWFENCE -DRFENCE --memory-model rc11
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed -DR=memory_order_relaxed -DRFENCE --memory-model sc
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed -DR=memory_order_relaxed -DRFENCE --memory-model tso
// verdict: verified
// complete: 4
// check: -DN=2 -DW=memory_order_relaxed -DR=memory_order_relaxed -DRFENCE --memory-model rc11
// verdict: verified
// complete: 9
// check: -DCHECK --memory-model sc
// verdict: verified
// check: -DCHECK --memory-model tso
// verdict: verified
// check: -DCHECK --memory-model rc11
// verdict: verified
// check: -DCHECK -DR=memory_order_relaxed --memory-model sc
// verdict: verified
// check: -DCHECK -DR=memory_order_relaxed --memory-model tso
// verdict: verified
// check: -DCHECK -DR=memory_order_relaxed --memory-model rc11
// verdict: bug
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifndef N
#define N 1
#endif
#ifndef W
#define W memory_order_release
#endif
#ifndef R
#define R memory_order_acquire
#endif
atomic_int data, flag;
void *writer(void *arg)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
#ifdef WFENCE
	atomic_thread_fence(memory_order_release);
#endif
	atomic_store_explicit(&flag, 1, W);
	return 0;
}
void *reader(void *arg)
{
	if (atomic_load_explicit(&flag, R)) {
#ifdef RFENCE
		atomic_thread_fence(memory_order_acquire);
#endif
		int d = atomic_load_explicit(&data, memory_order_relaxed);
#ifdef CHECK
		assert(d == 1);
#endif
		(void)d;
	}
	return 0;
}
int main()
{
	pthread_t w, t[N];
	pthread_create(&w, 0, writer, 0);
	for (int i = 0; i < N; i++) pthread_create(&t[i], 0, reader, 0);
	pthread_join(w, 0);
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
	return 0;
}
