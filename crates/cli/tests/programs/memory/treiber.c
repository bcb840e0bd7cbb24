// A Treiber stack: N threads push one node each and pop once, one attempt each time. Counts confirmed by an independent tool.
// check: -DN=2 --memory-model sc
// verdict: verified
// complete: 26
// check: -DN=2 --memory-model tso
// verdict: verified
// complete: 26
// check: -DN=2 --memory-model rc11
// verdict: verified
// complete: 26
// check: -DN=3 --memory-model sc
// verdict: verified
// complete: 2463
// check: -DN=3 --memory-model tso
// verdict: verified
// complete: 2463
// check: -DN=3 --memory-model rc11
// verdict: verified
// complete: 2463
// check: -DN=2 -DREL=memory_order_relaxed --memory-model rc11
// verdict: bug
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifndef REL
#define REL memory_order_release
#endif
#ifndef ACQ
#define ACQ memory_order_acquire
#endif
struct node { int value; struct node *next; } nodes[N];
_Atomic(struct node *) top;
void *thread(void *arg)
{
	long i = (long)arg;
	struct node *t = atomic_load_explicit(&top, memory_order_relaxed);
	nodes[i].value = 1;
	nodes[i].next = t;
	atomic_compare_exchange_strong_explicit(&top, &t, &nodes[i], REL, memory_order_relaxed);
	t = atomic_load_explicit(&top, ACQ);
	if (t) {
		struct node *n = t->next;
		atomic_compare_exchange_strong_explicit(&top, &t, n, memory_order_acquire, memory_order_relaxed);
	}
	return 0;
}
int main()
{
	pthread_t t[N];
	for (long i = 0; i < N; i++) pthread_create(&t[i], 0, thread, (void *)i);
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
	return 0;
}
