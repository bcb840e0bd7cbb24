// valid-memsafety: what threads hand to each other: freed by the last one, by both, too early, not at all; one element too
// many; the variable of a thread that has ended.
// check: --property valid-memsafety -DLAST
// verdict: verified
// check: --property valid-memsafety -DBOTH
// verdict: bug
// bug: double-free
// check: --property valid-memsafety -DEARLY
// verdict: bug
// bug: use-after-free
// What a global variable still points to in the end is tracked, but not cleaned up.
// check: --property valid-memsafety -DNEVER
// verdict: verified
// check: --property valid-memcleanup -DNEVER
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DNEVER -DFORGOTTEN
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DBEYOND
// verdict: bug
// check: --property valid-memsafety -DSTACK
// verdict: bug
// bug: use-after-free
// check: --property valid-memsafety -DNULL_POINTER
// verdict: bug
// check: --property valid-memsafety -DINSIDE
// verdict: bug
// bug: invalid-free
// check: --property valid-memsafety -DLIST
// verdict: verified
#include "verifier.h"
struct item { int value; struct item *next; };
static int users = 2;
static struct item *item, *list;
static int *borrowed;
MUTEX(m);
static void *thread(void *arg) {
    LOCK(m);
#if defined(LAST)
    item->value++;
    if (--users == 0)
        free(item);
#elif defined(BOTH)
    free(item);
#elif defined(EARLY)
    item->value++;
    if (--users == 1)
        free(item);
#elif defined(NEVER)
    item->value++;
#elif defined(BEYOND)
    ((int *)item)[users + 2]++;
#elif defined(STACK)
    int own = 1;
    if (borrowed)
        (*borrowed)++;
    borrowed = &own;
#elif defined(NULL_POINTER)
    item->next->value = 1;
#elif defined(INSIDE)
    if (--users == 0)
        free(&item->next);
#elif defined(LIST)
    struct item *new = malloc(sizeof *new);
    new->next = list;
    list = new;
#endif
    UNLOCK(m);
    return 0;
}
int main(void) {
    pthread_t a, b;
    item = calloc(1, sizeof *item);
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#if defined(BEYOND) || defined(STACK) || defined(NULL_POINTER) || defined(LIST)
    free(item);
#endif
#ifdef FORGOTTEN
    item = 0;
#endif
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
}
