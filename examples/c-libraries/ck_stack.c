// A client of ck_stack (Concurrency Kit): two threads push, one of them and main pop; nothing is lost.
// BROKEN pushes with a plain store in place of the compare-and-swap.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stddef.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void push(ck_stack_entry_t *entry) {
#ifdef BROKEN
    entry->next = ck_pr_load_ptr(&stack.head);
    ck_pr_fence_store();
    ck_pr_store_ptr(&stack.head, entry);
#else
    ck_stack_push_upmc(&stack, entry);
#endif
}

static void *thread(void *unused) {
    push(&entries[0]);
    return 0;
}

int main(void) {
    pthread_t other;
    int found = 0;
    pthread_create(&other, 0, thread, 0);
    push(&entries[1]);
    pthread_join(other, 0);
    while (ck_stack_pop_upmc(&stack) != NULL)
        found++;
    assert(found == 2);
    return 0;
}
