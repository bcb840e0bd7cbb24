// Two threads take the last place of an array.
// check:
// verdict: bug
// bug: out-of-bounds
#include <pthread.h>
#include <stdatomic.h>

atomic_int used;
int places[1];

static void *take(void *unused) {
    if (atomic_load(&used) < 1)
        places[atomic_fetch_add(&used, 1)] = 1; // <- bug
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, take, 0);
    pthread_create(&second, 0, take, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
