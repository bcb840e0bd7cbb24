// A letter is put into a box by one function and taken out by another; the flag between them is relaxed.
// check:
#include <pthread.h>
#include <stdatomic.h>

static int letter;
static atomic_int is_full;

static void put(int what) {
    letter = what;
    atomic_store_explicit(&is_full, 1, memory_order_relaxed);
}

static int take(void) {
    return atomic_load_explicit(&is_full, memory_order_relaxed) ? letter : 0;
}

static void *sender(void *unused) {
    put(42);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    int taken = take();
    pthread_join(thread, NULL);
    return taken != 0 && taken != 42;
}
