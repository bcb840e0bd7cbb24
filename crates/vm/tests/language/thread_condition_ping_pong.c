// Two threads that take turns by a condition variable.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

struct player { int me; const char *word; };

static void *play(void *argument) {
    const struct player *p = argument;
    for (int i = 0; i < 5; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != p->me) pthread_cond_wait(&changed, &mutex);
        printf("%s %d\n", p->word, i);
        turn = 1 - turn;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void) {
    struct player ping = {0, "ping"}, pong = {1, "pong"};
    pthread_t a, b;
    pthread_create(&a, NULL, play, &pong);
    pthread_create(&b, NULL, play, &ping);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", turn);
    return 0;
}
