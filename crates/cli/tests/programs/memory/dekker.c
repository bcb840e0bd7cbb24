// Dekker's entry protocol, one attempt each, with a data race inside if both enter. Counts confirmed by an independent tool.
// check: --memory-model sc
// verdict: verified
// complete: 3
// check: --memory-model tso
// verdict: verified
// complete: 3
// check: --memory-model rc11
// verdict: verified
// complete: 3
// check: -DORD=memory_order_relaxed --memory-model sc
// verdict: verified
// complete: 3
// check: -DORD=memory_order_relaxed --memory-model tso
// verdict: bug
// check: -DORD=memory_order_relaxed --memory-model rc11
// verdict: bug
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORD
#define ORD memory_order_seq_cst
#endif
atomic_int want[2];
int data;
void *thread(void *arg)
{
	long i = (long)arg;
	atomic_store_explicit(&want[i], 1, ORD);
	if (!atomic_load_explicit(&want[1 - i], ORD)) data++;
	return 0;
}
int main()
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, (void *)0);
	pthread_create(&b, 0, thread, (void *)1);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
