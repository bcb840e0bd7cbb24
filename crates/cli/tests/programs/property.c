// The properties of SV-COMP: each looks for its own violations, and for no others.
// check: --property unreach-call
// verdict: bug
// bug: assertion
// check: --property no-data-race
// verdict: verified
// check: --property no-data-race -DRACES
// verdict: bug
// bug: data-race
// check: --property unreach-call -DRACES -DHOLDS
// verdict: verified
// check: --property valid-memsafety -DHOLDS
// verdict: verified
// check: --property valid-memsafety -DHOLDS -DLEAKS
// verdict: bug
// bug: leak
// check: --property valid-memsafety -DHOLDS -DFREES_TWICE
// verdict: bug
// bug: double-free
// check: --property no-overflow
// verdict: verified
// check: --property no-overflow -DOVERFLOWS
// verdict: bug
// bug: signed-overflow
// check: --property unreach-call -DHOLDS -DFREES_TWICE
// verdict: incomplete
// cut: not about the property
// check: --property unreach-call -DHOLDS -DWAITS
// verdict: verified
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void reach_error(void) { abort(); }

atomic_int x;
int plain, counter = INT_MAX;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused) {
    x = 1;
#ifdef RACES
    plain = 1;
#endif
#ifdef OVERFLOWS
    counter = counter + 1;
#endif
#ifdef WAITS
    pthread_mutex_lock(&mutex);
#endif
    return 0;
}

int main(void) {
    pthread_t started;
    int *memory = malloc(sizeof *memory);
#ifdef WAITS
    pthread_mutex_lock(&mutex);
#endif
    pthread_create(&started, 0, thread, 0);
#ifdef RACES
    plain = 2;
#endif
#ifndef HOLDS
    if (x == 1)
        reach_error();
#endif
    pthread_join(started, 0);
#ifndef LEAKS
    free(memory);
#endif
#ifdef FREES_TWICE
    free(memory);
#endif
    return 0;
}
