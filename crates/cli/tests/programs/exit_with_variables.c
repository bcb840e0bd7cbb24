// A thread ends with pthread_exit while another one holds the address of a variable of a function that had not
// returned: the end of the variable is a step, and the other may come after it.
// check:
// verdict: bug
// bug: use-after-free
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

_Atomic(int *) shared;

static void give_up(void) { pthread_exit(NULL); }

static void *lend(void *unused) {
    int local = 1;
    atomic_store(&shared, &local);
    give_up();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, lend, NULL);
    int *borrowed = atomic_load(&shared);
    if (borrowed)
        *borrowed = 2; // <- bug
    pthread_join(thread, NULL);
    return 0;
}
