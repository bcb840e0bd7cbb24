// N threads insert four numbers each into a hash table by compare-exchange.
// optimal: -DN=11 1+0
// optimal: -DN=12 8+0
// optimal: -DN=13 64+0
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 128
#define MAX 4

atomic_int table[SIZE];

static void *thread(void *argument) {
    int tid = (int)(long)argument, m = 0;
    while (m < MAX) {
        int w = (++m) * 11 + tid;
        int h = (w * 7) % SIZE;
        int expected = 0;
        while (!atomic_compare_exchange_strong(&table[h], &expected, w)) {
            h = (h + 1) % SIZE;
            expected = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t id;
    for (long i = 0; i < N; i++)
        pthread_create(&id, 0, thread, (void *)i);
    return 0;
}
