// Two threads compute Fibonacci numbers by turns, if they are lucky; the main thread looks.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int i = 1;
atomic_int j = 1;

static void *first(void *unused) {
    for (int round = 0; round < N; round++)
        atomic_store(&i, atomic_load(&i) + atomic_load(&j));
    return 0;
}

static void *second(void *unused) {
    for (int round = 0; round < N; round++)
        atomic_store(&j, atomic_load(&j) + atomic_load(&i));
    return 0;
}

static int fib(int n) {
    int a = 0, b = 1;
    while (n-- > 0) {
        int next = a + b;
        a = b;
        b = next;
    }
    return a;
}

int main(void) {
    pthread_t thread;
    int largest = fib(2 * N + 2);
    pthread_create(&thread, 0, first, 0);
    pthread_create(&thread, 0, second, 0);
    assert(atomic_load(&i) <= largest && atomic_load(&j) <= largest);
    return 0;
}
