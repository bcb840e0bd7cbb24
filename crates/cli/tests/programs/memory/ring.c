// A single-producer single-consumer ring of two slots; N items, one attempt each. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 9
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 9
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 9
// check: -DN=4 --memory-model sc
// verdict: verified
// complete: 225
// check: -DN=4 --memory-model tso
// verdict: verified
// complete: 256
// check: -DN=4 --memory-model rc11
// verdict: verified
// complete: 256
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
int slot[2];
atomic_uint head, tail;
void *producer(void *arg)
{
	for (int i = 0; i < N; i++) {
		unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
		if (t - atomic_load_explicit(&head, ACQ) < 2) {
			slot[t % 2] = i + 1;
			atomic_store_explicit(&tail, t + 1, REL);
		}
	}
	return 0;
}
void *consumer(void *arg)
{
	for (int i = 0; i < N; i++) {
		unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
		if (h != atomic_load_explicit(&tail, ACQ)) {
			assert(slot[h % 2] > 0);
			atomic_store_explicit(&head, h + 1, REL);
		}
	}
	return 0;
}
int main()
{
	pthread_t p, c;
	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return 0;
}
