// A doubly linked list in a circle, with the links inside the elements.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct link { struct link *next, *previous; };
struct job { int id; struct link link; int priority; };
#define JOB(l) ((struct job *)((char *)(l)-offsetof(struct job, link)))

static void insert(struct link *after, struct link *l) {
    l->previous = after, l->next = after->next;
    after->next->previous = l, after->next = l;
}
static void unlink_(struct link *l) { l->next->previous = l->previous, l->previous->next = l->next; }

static void add(struct link *queue, int id, int priority) {
    struct job *job = malloc(sizeof *job);
    job->id = id, job->priority = priority;
    struct link *at = queue->previous;
    while (at != queue && JOB(at)->priority < priority) at = at->previous;
    insert(at, &job->link);
}

int main(void) {
    struct link queue = {&queue, &queue};
    for (int i = 0; i < 10; i++) add(&queue, i, i * 7 % 4);
    for (struct link *l = queue.next; l != &queue; l = l->next) printf("%d:%d ", JOB(l)->id, JOB(l)->priority);
    printf("\n");
    for (struct link *l = queue.next, *next; l != &queue; l = next) {
        next = l->next;
        if (JOB(l)->id % 2) unlink_(l), free(JOB(l));
    }
    for (struct link *l = queue.previous; l != &queue; l = l->previous) printf("%d:%d ", JOB(l)->id, JOB(l)->priority);
    printf("\n");
    while (queue.next != &queue) {
        struct link *l = queue.next;
        unlink_(l);
        free(JOB(l));
    }
    printf("%d\n", queue.previous == &queue);
    return 0;
}
