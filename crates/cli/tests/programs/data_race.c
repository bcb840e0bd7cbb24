// Two threads write a plain variable; nothing else is wrong, so only --races minds.
// check:
// verdict: verified
// complete: 2
// check: --races
// verdict: bug
// bug: data-race
// message: x
#include <pthread.h>

int x;

static void *write(void *unused) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, write, 0);
    pthread_create(&second, 0, write, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
