// Threads with arguments and results, joined in order.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct task { int from, to; long sum; };

static void *add(void *argument) {
    struct task *t = argument;
    for (int i = t->from; i < t->to; i++) t->sum += i;
    return t;
}

static void *leave(void *argument) {
    if (argument) pthread_exit((char *)argument + 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    struct task tasks[3];
    for (int i = 0; i < 3; i++) {
        tasks[i] = (struct task){i * 100, (i + 1) * 100, 0};
        pthread_create(&threads[i], NULL, add, &tasks[i]);
    }
    long total = 0;
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("%d %ld\n", result == &tasks[i], tasks[i].sum);
        total += ((struct task *)result)->sum;
    }
    printf("%ld\n", total);
    char text[] = "text";
    void *result;
    pthread_create(&threads[0], NULL, leave, text);
    pthread_join(threads[0], &result);
    printf("%s\n", (char *)result);
    printf("%d\n", pthread_equal(pthread_self(), pthread_self()) != 0);
    return 0;
}
