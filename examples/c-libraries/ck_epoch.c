// A client of ck_epoch (Concurrency Kit): what a reader has got hold of is given back only when it is done. BROKEN does not
// wait for that.
#include <assert.h>
#include <ck_epoch.h>
#include <ck_pr.h>
#include <pthread.h>
#include <stdlib.h>

static ck_epoch_t epoch;
static ck_epoch_record_t records[2];
static int *shared;

static void *read_shared(void *unused) {
    ck_epoch_begin(&records[1], 0);
    int *item = ck_pr_load_ptr(&shared);
    assert(*item == 1 || *item == 2);
    ck_epoch_end(&records[1], 0);
    return 0;
}

static int *new_item(int value) {
    int *item = malloc(sizeof *item);
    *item = value;
    return item;
}

int main(void) {
    pthread_t reader;
    shared = new_item(1);
    ck_epoch_init(&epoch);
    ck_epoch_register(&epoch, &records[0], 0);
    ck_epoch_register(&epoch, &records[1], 0);
    pthread_create(&reader, 0, read_shared, 0);
    int *old = shared;
    int *new = new_item(2);
    ck_pr_fence_store();
    ck_pr_store_ptr(&shared, new);
#ifndef BROKEN
    ck_epoch_synchronize(&records[0]);
#endif
    free(old);
    pthread_join(reader, 0);
    free(new);
    return 0;
}
