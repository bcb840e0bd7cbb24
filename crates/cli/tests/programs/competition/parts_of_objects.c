// Two threads use parts of one object at the same time: bit-fields that share a byte race, members do not; a block that is
// cleared races with what lies in it.
// check: --property no-data-race -DBITS
// verdict: bug
// bug: data-race
// check: --property no-data-race -DMEMBERS
// verdict: verified
// check: --property no-data-race -DBLOCK=4
// verdict: bug
// bug: data-race
// check: --property no-data-race -DBLOCK=3
// verdict: verified
#include <pthread.h>
#include <string.h>

struct {
#ifdef BITS
    unsigned a : 4, b : 4;
#else
    char a, b;
#endif
} shared;
int block[4];

static void *thread(void *unused) {
#ifdef BLOCK
    memset(block, 0, BLOCK * sizeof(int));
#else
    shared.a = 1;
#endif
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
#ifdef BLOCK
    int last = block[3];
#else
    int last = 0;
    shared.b = 1;
#endif
    pthread_join(other, 0);
    return last;
}
