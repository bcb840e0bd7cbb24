// Two threads that each do nothing more if they see the other's flag, and take N counters otherwise. Source: Abdulla et
// al., OOPSLA 2019, Fig. 6: one of them comes first, or neither takes the counters, whatever N is.
// check: -DN=2 --algorithm reads-from
// verdict: verified
// complete: 3
// redundant: 0
// check: -DN=20 --algorithm reads-from
// verdict: verified
// complete: 3
// redundant: 0
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag[2], counter[N];

static void *take(void *argument) {
    int own = (int)(long)argument;
    atomic_store(&flag[own], 1);
    if (atomic_load(&flag[1 - own]) == 1)
        return 0;
    for (int i = 0; i < N; i++)
        (void)atomic_exchange(&counter[i], 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, take, (void *)0);
    pthread_create(&thread, 0, take, (void *)1);
    return 0;
}
