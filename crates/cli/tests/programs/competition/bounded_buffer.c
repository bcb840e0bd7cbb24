// pthread-complex: a bounded buffer with two semaphores and a mutex; with the mutex taken before the semaphore nobody fails,
// but all may wait, which is no error of this property.
// check: --property unreach-call
// verdict: verified
// check: --property no-data-race
// verdict: verified
// check: --property unreach-call -DSWAPPED
// verdict: verified
// check: -DSWAPPED
// verdict: bug
// bug: deadlock
// check: --property no-data-race -DWITHOUT
// verdict: bug
#include "verifier.h"
#include <semaphore.h>
enum { SIZE = 1, ITEMS = 2 };
static int buffer[SIZE], in, out;
static sem_t empty, full;
MUTEX(m);
#ifdef WITHOUT
#undef LOCK
#undef UNLOCK
#define LOCK(m) (void)m
#define UNLOCK(m) (void)m
static int entries;
#define COUNT entries++
#else
#define COUNT (void)0
#endif
static void *producer(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
#ifdef SWAPPED
        LOCK(m);
        sem_wait(&empty);
#else
        sem_wait(&empty);
        LOCK(m);
#endif
        COUNT;
        buffer[in] = i;
        in = (in + 1) % SIZE;
        UNLOCK(m);
        sem_post(&full);
    }
    return 0;
}
static void *consumer(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        COUNT;
        sem_wait(&full);
        LOCK(m);
        check(buffer[out] == i);
        out = (out + 1) % SIZE;
        UNLOCK(m);
        sem_post(&empty);
    }
    return 0;
}
int main(void) {
    sem_init(&empty, 0, SIZE);
    sem_init(&full, 0, 0);
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
