// Compare-exchanges whose success is told by comparing what was found with what was expected. A round that fails does nothing but
// read again, so there is one complete execution for each order of the four that succeed: 4!.
// check: -DCOUNT
// verdict: verified
// complete: 24
// check: -DCOUNT -DIN_A_WHILE
// verdict: verified
// complete: 24
// check: -DCOUNT -DTYPE=short
// verdict: verified
// complete: 24
// check: -DEXCHANGE
// verdict: verified
// complete: 24
// One that is done without looking whether it succeeded loses something.
// check: -DCOUNT -DLOSES
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef TYPE
#define TYPE int
#endif

struct node {
    struct node *next;
} nodes[4], *head;
TYPE count;

static void *thread(void *own) {
#if defined COUNT && defined LOSES
    TYPE old = __atomic_load_n(&count, __ATOMIC_SEQ_CST);
    (void)__sync_val_compare_and_swap(&count, old, (TYPE)(old + 1));
#elif defined COUNT && defined IN_A_WHILE
    TYPE old = __atomic_load_n(&count, __ATOMIC_SEQ_CST), found;
    while ((found = __sync_val_compare_and_swap(&count, old, (TYPE)(old + 1))) != old)
        old = found;
#elif defined COUNT
    TYPE old = __atomic_load_n(&count, __ATOMIC_SEQ_CST);
    for (;;) {
        TYPE found = __sync_val_compare_and_swap(&count, old, (TYPE)(old + 1));
        if (found == old)
            break;
        old = found;
    }
#elif defined EXCHANGE
    struct node *old = __atomic_load_n(&head, __ATOMIC_SEQ_CST), *found;
    while ((found = __sync_val_compare_and_swap(&head, old, (struct node *)own)) != old)
        old = found;
#endif
    return 0;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, thread, &nodes[i]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
#if defined COUNT
    assert(count == 4);
#else
    assert(head != NULL);
#endif
    return 0;
}
