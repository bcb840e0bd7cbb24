// A client of ck_hp (Concurrency Kit): an item is given back when no hazard pointer is set to it. BROKEN sets one without making
// sure that the others see it before the item is looked at.
#include <assert.h>
#include <ck_hp.h>
#include <ck_pr.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    int value;
    ck_hp_hazard_t hazard;
};

static ck_hp_t domain;
static ck_hp_record_t records[2];
static void *pointers[2][1];
static struct item *shared;

static void *look(void *unused) {
    struct item *item = ck_pr_load_ptr(&shared);
#ifdef BROKEN
    ck_hp_set(&records[1], 0, item);
#else
    ck_hp_set_fence(&records[1], 0, item);
#endif
    if (ck_pr_load_ptr(&shared) == item)
        assert(item->value == 1 || item->value == 2);
    ck_hp_clear(&records[1]);
    return unused;
}

static struct item *new_item(int value) {
    struct item *item = malloc(sizeof *item);
    item->value = value;
    return item;
}

int main(void) {
    pthread_t thread;
    ck_hp_init(&domain, 1, 0, free);
    for (int i = 0; i < 2; i++)
        ck_hp_register(&domain, &records[i], pointers[i]);
    shared = new_item(1);
    pthread_create(&thread, 0, look, 0);
    struct item *old = shared, *new = new_item(2);
    ck_pr_fence_store();
    ck_pr_store_ptr(&shared, new);
    ck_pr_fence_memory();
    ck_hp_free(&records[0], &old->hazard, old, old);
    pthread_join(thread, 0);
    ck_hp_reclaim(&records[0]);
    free(new);
}
