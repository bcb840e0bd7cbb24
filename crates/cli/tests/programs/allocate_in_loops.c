// Memory that is allocated and freed thousands of times between steps: what is freed makes room, but not while a pointer to
// it is left. Complete executions: the orders of two exchanges of each of two threads, 4! / (2! * 2!).
// check:
// verdict: verified
// complete: 6
// check: -DLOCAL
// verdict: bug
// bug: use-after-free
// check: -DON_HEAP
// verdict: bug
// bug: use-after-free
// check: -DGLOBAL
// verdict: bug
// bug: use-after-free
// check: -DUNALIGNED
// verdict: bug
// bug: use-after-free
// check: -DSCOPES
// verdict: verified
// check: -DVARIABLE
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10000 };
static atomic_int x;
static int *global[2];

static int first(const int *numbers) { return numbers[0]; }

static void churn(void) {
    int *last = malloc(sizeof(int));
    *last = 0;
    for (int i = 1; i < ROUNDS; i++) {
#ifdef SCOPES
        int variable[2] = {i, i};
        assert(first(variable) == i);
#elif defined(VARIABLE)
        int variable[1 + i % 3];
        variable[0] = i;
        assert(first(variable) == i);
#else
        int *next = malloc(sizeof(int));
        *next = *last + 1;
        free(last);
        last = next;
#endif
    }
#if !defined(SCOPES) && !defined(VARIABLE)
    assert(*last == ROUNDS - 1);
#endif
    free(last);
}

static void *thread(void *number) {
    int me = number != 0;
    int *gone = malloc(4 * sizeof(int));
    int **kept = malloc(sizeof(int *));
    char *packed = malloc(16);
    gone[0] = 7;
    *kept = gone;
    memcpy(packed + 3, &gone, sizeof gone);
    free(gone);
#ifdef GLOBAL
    global[me] = gone;
#endif
#ifndef LOCAL
    gone = 0;
#endif
#ifndef ON_HEAP
    *kept = 0;
#endif
#ifndef UNALIGNED
    memset(packed, 0, 16);
#endif
    for (int i = 0; i < 2; i++) {
        churn();
        atomic_exchange(&x, 2 * me + i);
    }
    churn();
#if defined(LOCAL)
    gone[0] = 1;
#elif defined(ON_HEAP)
    (*kept)[0] = 1;
#elif defined(GLOBAL)
    global[me][0] = 1;
#elif defined(UNALIGNED)
    memcpy(&gone, packed + 3, sizeof gone);
    gone[0] = 1;
#endif
    free(kept);
    free(packed);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, (void *)1);
    thread(0);
    pthread_join(other, 0);
}
