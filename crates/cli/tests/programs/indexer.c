// Threads insert four messages each into a hash table of 128 slots. Source: Flanagan and Godefroid, POPL 2005; counts
// of J. ACM 64(4), Table 3.
// check: -DN=11
// verdict: verified
// complete: 1
// check: -DN=12
// verdict: verified
// complete: 8
// check: -DN=13
// verdict: verified
// complete: 64
// check: -DN=12 --algorithm source
// verdict: verified
// complete: 8
// redundant: 0
// check: -DN=15 --algorithm source
// verdict: verified
// complete: 4096
// redundant: 0
// check: -DN=12 --algorithm classic
// verdict: verified
// complete: 8
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 128
#define MESSAGES 4

atomic_int table[SIZE];

static void *insert(void *argument) {
    int tid = (int)(long)argument;
    for (int m = 0; m < MESSAGES;) {
        int w = (++m) * 11 + tid;
        int h = (w * 7) % SIZE;
        int free_slot = 0;
        while (!atomic_compare_exchange_strong(&table[h], &free_slot, w)) {
            h = (h + 1) % SIZE;
            free_slot = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    for (long i = 0; i < N; i++)
        pthread_create(&thread, 0, insert, (void *)i);
    return 0;
}
