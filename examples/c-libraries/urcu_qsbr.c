// A client of liburcu (urcu-qsbr): readers say when they hold nothing, and what was there before a change is given back after that.
// BROKEN does not wait for it.
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <urcu-qsbr.h>

static int *shared;

static void *look(void *unused) {
    rcu_register_thread();
    rcu_read_lock();
    int *item = rcu_dereference(shared);
    assert(*item == 1 || *item == 2);
    rcu_read_unlock();
    rcu_quiescent_state();
    rcu_unregister_thread();
    return unused;
}

static int *new_item(int value) {
    int *item = malloc(sizeof *item);
    *item = value;
    return item;
}

int main(void) {
    pthread_t reader;
    shared = new_item(1);
    pthread_create(&reader, 0, look, 0);
    int *old = shared;
    rcu_assign_pointer(shared, new_item(2));
#ifndef BROKEN
    synchronize_rcu();
#endif
    free(old);
    pthread_join(reader, 0);
    free(shared);
}
