// A client of critnib (Debian: libcritnib-dev, with its source), an ordered map that is read without locks: two threads put in
// entries of their own, and find them; main takes one out again.
// BROKEN looks for the other thread's entry, which need not be there yet.
#include <assert.h>
#include <critnib.h>
#include <pthread.h>
#include <stdint.h>

static critnib *map;
static int values[2];

static void *thread(void *argument) {
    uintptr_t own = (uintptr_t)argument;
    int added = critnib_insert(map, own + 1, &values[own], 0);
    assert(added == 0);
#ifdef BROKEN
    uintptr_t wanted = 1 - own;
#else
    uintptr_t wanted = own;
#endif
    assert(critnib_get(map, wanted + 1) == &values[wanted]);
    return 0;
}

int main(void) {
    pthread_t other;
    map = critnib_new();
    pthread_create(&other, 0, thread, (void *)1);
    thread(0);
    pthread_join(other, 0);
    assert(critnib_remove(map, 1) == &values[0]);
    assert(critnib_get(map, 1) == 0 && critnib_get(map, 2) == &values[1]);
    critnib_delete(map);
    return 0;
}
