// The reader-writer lock of older Linux kernels: a counter from which readers take one and writers all; whoever takes
// too much gives it back and waits. Source of the counts: FMCAD 2022, Table I. With a reader and a writer: either is
// first; the other one comes after that, or finds the lock taken, gives back what it took before or after the first
// one leaves, and waits. Where additions commute, giving back has no place.
// columns: -DWRITERS=1 -DREADERS=1 -DBOTH=0 --unroll 3 | 6+2 | 6+2 | 6 | 4
// large columns: -DWRITERS=1 -DREADERS=1 -DBOTH=1 --unroll 3 | - | 38033+31993 | 38033 | 3840
// paper: 38033+31993 | 38033+31993 | 38033 | 3840
#include <pthread.h>
#include <stdatomic.h>


#define ALL 0x00100000

static atomic_int left = ALL;
static int shared;

static void read_lock(void) {
    while (atomic_fetch_sub(&left, 1) <= 0) {
        atomic_fetch_add(&left, 1);
        while (atomic_load(&left) <= 0)
            ;
    }
}

static void write_lock(void) {
    while (atomic_fetch_sub(&left, ALL) != ALL) {
        atomic_fetch_add(&left, ALL);
        while (atomic_load(&left) != ALL)
            ;
    }
}

static void *reader(void *unused) {
    read_lock();
    (void)*(volatile int *)&shared;
    atomic_fetch_add(&left, 1);
    return 0;
}

static void *writer(void *unused) {
    write_lock();
    shared = 42;
    atomic_fetch_add(&left, ALL);
    return 0;
}

static void *both(void *unused) {
    reader(0);
    return writer(0);
}

// No loop, which --unroll would cut.
static void start(int count, void *(*body)(void *)) {
    pthread_t thread;
    if (count == 0)
        return;
    pthread_create(&thread, 0, body, 0);
    start(count - 1, body);
}

int main(void) {
    start(WRITERS, writer);
    start(READERS, reader);
    start(BOTH, both);
    return 0;
}
