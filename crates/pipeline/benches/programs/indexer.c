// Flanagan and Godefroid's indexer: N threads insert into a hash table by compare-exchange.
#include <pthread.h>
#include <stdatomic.h>

#define SLOTS 128
#define INSERTS 4

atomic_int table[SLOTS];

static void *insert(void *argument) {
    int tid = (int)(long)argument;
    for (int m = 1; m <= INSERTS; m++) {
        int w = m * 11 + tid;
        int h = (w * 7) % SLOTS;
        int expected = 0;
        while (!atomic_compare_exchange_strong(&table[h], &expected, w)) {
            h = (h + 1) % SLOTS;
            expected = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long tid = 0; tid < N; tid++)
        pthread_create(&thread, 0, insert, (void *)tid);
    return 0;
}
