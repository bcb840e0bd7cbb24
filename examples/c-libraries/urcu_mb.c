// A client of liburcu (urcu-mb): a reader sees what was there before or after a change, and what was there before is given
// back only when nobody reads it any more. BROKEN does not wait for the readers.
#define _LGPL_SOURCE
#define RCU_MB
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>

struct item {
    int value;
};

static struct item *shared;

static void *read_item(void *unused) {
    rcu_register_thread();
    rcu_read_lock();
    struct item *item = rcu_dereference(shared);
    assert(item->value == 1 || item->value == 2);
    rcu_read_unlock();
    rcu_unregister_thread();
    return 0;
}

static struct item *new_item(int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    return item;
}

int main(void) {
    pthread_t reader;
    shared = new_item(1);
    pthread_create(&reader, 0, read_item, 0);
    struct item *old = shared;
    rcu_assign_pointer(shared, new_item(2));
#ifndef BROKEN
    synchronize_rcu();
#endif
    free(old);
    pthread_join(reader, 0);
    free(shared);
    return 0;
}
