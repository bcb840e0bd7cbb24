// Threads that are given the address of the variable of the loop that starts them, or of one each.
// check: --property no-data-race
// verdict: bug
// check: --property no-data-race -DONE_EACH
// verdict: verified
// check: --property unreach-call
// verdict: bug
// check: --property unreach-call -DONE_EACH
// verdict: verified
#include "verifier.h"
static int seen[3];
static void *thread(void *number) {
    int mine = *(int *)number;
    if (mine < 3)
        seen[mine] = 1;
    return 0;
}
int main(void) {
    pthread_t threads[2];
#ifdef ONE_EACH
    int numbers[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
#else
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, thread, &i);
        if (i == 1) {
            pthread_join(threads[0], 0);
            pthread_join(threads[1], 0);
        }
    }
#endif
    check(seen[0] && seen[1]);
    return 0;
}
