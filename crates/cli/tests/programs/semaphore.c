// Two threads pass a semaphore of one; the plain counter needs no more. Two orders of the sections.
// check: --races
// verdict: verified
// complete: 2
// check: -DSEATS=2
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifndef SEATS
#define SEATS 1
#endif

sem_t seats;
int counter;

static void *increment(void *unused) {
    sem_wait(&seats);
    counter++;
    sem_post(&seats);
    return 0;
}

int main(void) {
    pthread_t first, second;
    sem_init(&seats, 0, SEATS);
    pthread_create(&first, 0, increment, 0);
    pthread_create(&second, 0, increment, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(counter == 2); // <- bug
    sem_destroy(&seats);
    return 0;
}
