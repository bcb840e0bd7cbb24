// A local pointer is used when the variable that it points to has ended: by reading, by writing, through another
// pointer, after one of two blocks, and in a function of its own.
// check: -DREAD
// verdict: bug
// bug: use-after-free
// check: -DWRITE
// verdict: bug
// bug: use-after-free
// check: -DCOPY
// verdict: bug
// bug: use-after-free
// check: -DEITHER
// verdict: bug
// bug: use-after-free
// check: -DSTRUCT
// verdict: bug
// bug: use-after-free
// check: -DREAD --loops plain
// verdict: bug
// bug: use-after-free
// check:
// verdict: verified
#include <assert.h>

struct pair {
    int a, b;
};

static int use(int which) {
    int *p = 0;
    int **q = &p;
    (void)which, (void)q;
#ifdef READ
    {
        int x = 1;
        p = &x;
    }
    return *p; // <- bug
#elif defined(WRITE)
    {
        int x = 1;
        p = &x;
    }
    *p = 2; // <- bug
    return 1;
#elif defined(COPY)
    {
        int x = 1;
        *q = &x;
    }
    int *r = *q;
    return *r; // <- bug
#elif defined(EITHER)
    int other = 1;
    p = &other;
    if (which) {
        int x = 1;
        p = &x;
    }
    return *p; // <- bug
#elif defined(STRUCT)
    {
        struct pair x = {1, 2};
        p = &x.b;
    }
    return *p; // <- bug
#else
    {
        int x = 1;
        p = &x;
        *p = 1;
        return *p;
    }
#endif
}

int main(void) {
    assert(use(1) == 1);
}
