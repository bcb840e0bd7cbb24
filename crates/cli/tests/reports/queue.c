// A queue whose push has forgotten the lock.
// check: --memory-model=sc
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *head, *tail;
    pthread_mutex_t lock;
};

static struct queue q = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void push(struct queue *queue, int value) {
    struct node *node = malloc(sizeof *node);
    node->value = value;
    node->next = NULL;
    if (queue->tail)
        queue->tail->next = node;
    else
        queue->head = node;
    queue->tail = node;
}

static int pop(struct queue *queue, int *value) {
    pthread_mutex_lock(&queue->lock);
    struct node *node = queue->head;
    if (node) {
        queue->head = node->next;
        if (!queue->head)
            queue->tail = NULL;
        *value = node->value;
        free(node);
    }
    pthread_mutex_unlock(&queue->lock);
    return node != NULL;
}

static void *producer(void *arg) {
    push(&q, 1);
    push(&q, 2);
    return NULL;
}

static void *consumer(void *arg) {
    int value;
    if (pop(&q, &value))
        assert(value == 1);
    return NULL;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
