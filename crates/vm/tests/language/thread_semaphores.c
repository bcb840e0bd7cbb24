// POSIX semaphores: handing over, counting, trying.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t full, empty;
static int slot;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 0; i < 6; i++) {
        sem_wait(&empty);
        slot = i * 7;
        sem_post(&full);
    }
    return NULL;
}

int main(void) {
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < 6; i++) {
        sem_wait(&full);
        printf("%d\n", slot);
        sem_post(&empty);
    }
    pthread_join(producer, NULL);
    int value;
    sem_getvalue(&empty, &value);
    printf("%d\n", value);
    printf("%d\n", sem_trywait(&empty));
    int r = sem_trywait(&empty);
    printf("%d %d\n", r, errno == EAGAIN);
    sem_destroy(&full);
    sem_destroy(&empty);
    return 0;
}
