// The lower half of an address is 0 here, but hardly elsewhere: a program that asks for it is refused, not called verified because
// nothing gets beyond the question. A number that was passed as a pointer is none.
// bmc:
// verdict: error
// message: an address of which some bits are left out
// bmc: -DNUMBER
// verdict: bug
// bug: assertion
#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}
static void *thread(void *argument) {
    if ((int)(long)argument == 3)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t created;
#ifndef NUMBER
    int *memory = malloc(sizeof *memory);
    assume_abort_if_not((int)(long)memory);
#endif
    pthread_create(&created, 0, thread, (void *)3);
    pthread_join(created, 0);
    return 0;
}
