// Atomic sections that touch different variables are independent; they may read the same ones.
// check: --memory-model sc
// verdict: verified
// complete: 1
// check: --memory-model sc -DSHARED
// verdict: verified
// complete: 6
//
// A look from outside comes before a section that writes what it looks at, or after it, whatever other sections there are.
// check: --memory-model sc -DLOOKS
// verdict: verified
// complete: 2
//
// If it is not known what a section touches, every section keeps all others out.
// check: --memory-model sc -DPOINTER
// verdict: verified
// complete: 6
#include "verifier.h"

static int a[2], b[2], c[2], step = 1, shared, seen;
static int *first = c;

static void *one(void *arg) {
    __VERIFIER_atomic_begin();
    a[0] += step;
    a[1] += step;
#ifdef SHARED
    shared++;
#endif
    __VERIFIER_atomic_end();
    return 0;
}

static void *two(void *arg) {
    __VERIFIER_atomic_begin();
    b[0] += step;
    b[1] += step;
#ifdef SHARED
    shared++;
#endif
    __VERIFIER_atomic_end();
    return 0;
}

static void *three(void *arg) {
#ifdef LOOKS
    seen = b[1];
#endif
    __VERIFIER_atomic_begin();
#ifdef POINTER
    *first += step;
#else
    c[0] += step;
#endif
    c[1] += step;
#ifdef SHARED
    shared++;
#endif
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, one, 0);
    pthread_create(&threads[1], 0, two, 0);
    pthread_create(&threads[2], 0, three, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    __VERIFIER_atomic_begin();
    check(a[0] == a[1] && b[0] == b[1] && c[0] == c[1]);
    __VERIFIER_atomic_end();
    return 0;
}
