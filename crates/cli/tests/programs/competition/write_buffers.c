// pthread-wmm, as a tool makes it: each thread that may buffer its writes has two buffers and what it knows of them, reads choose
// whether they empty them, and remember what they have read to read it again in the end.
// check: --property unreach-call
// verdict: verified
// check: --property unreach-call -DFAILS
// verdict: bug
#include "verifier.h"
#define FLUSH(t)                                                                                                                    \
    __VERIFIER_atomic_begin();                                                                                                      \
    y = y_first_used && y_first_##t ? y_first : (y_second_used && y_second_##t ? y_second : y);                                     \
    y_first_used = y_first_used && y_first_##t ? (_Bool)0 : y_first_used;                                                           \
    y_second_used = y_first_used && y_first_##t || y_second_used && y_second_##t ? (_Bool)0 : y_second_used;                        \
    y_first_##t = y_first_used && y_first_##t ? (_Bool)0 : y_first_##t;                                                             \
    y_second_##t = y_first_used && y_first_##t || y_second_used && y_second_##t ? (_Bool)0 : y_second_##t;                          \
    __VERIFIER_atomic_end();
#define NONE(t) (!y_first_used || !y_first_##t && !y_second_used || !y_first_##t && !y_second_##t)
#define READ(t, to)                                                                                                                 \
    __VERIFIER_atomic_begin();                                                                                                      \
    choice = __VERIFIER_nondet_bool();                                                                                              \
    empties = __VERIFIER_nondet_bool();                                                                                             \
    y_delayed = empties;                                                                                                            \
    y_before = y;                                                                                                                   \
    y = NONE(t) ? y : (y_first_used && y_first_##t ? y_first : y_second);                                                           \
    y_first = empties ? y_first : (NONE(t) ? y_first : (y_first_used && y_first_##t ? y_first : y_first));                          \
    y_first_used = empties ? y_first_used : (NONE(t) ? y_first_used : (y_first_used && y_first_##t ? (_Bool)0 : y_first_used));     \
    y_second_used = empties ? y_second_used : (NONE(t) ? y_second_used : (_Bool)0);                                                 \
    y_first_##t = empties ? y_first_##t : (NONE(t) ? y_first_##t : (y_first_used && y_first_##t ? (_Bool)0 : y_first_##t));         \
    y_second_##t = empties ? y_second_##t : (NONE(t) ? y_second_##t : (_Bool)0);                                                    \
    to##_delayed = (_Bool)1;                                                                                                        \
    to##_from = &y;                                                                                                                 \
    to = y;                                                                                                                         \
    y = y_delayed ? y_before : y;                                                                                                   \
    y_delayed = (_Bool)0;                                                                                                           \
    __VERIFIER_atomic_end();
#define ENDS                                                                                                                        \
    __VERIFIER_atomic_begin();                                                                                                      \
    count = count + 1;                                                                                                              \
    __VERIFIER_atomic_end();                                                                                                        \
    return 0;
static int count, x, y, a, b, c;
static _Bool a_delayed, b_delayed, all_ended, holds;
static int *a_from, *b_from;
static _Bool y_delayed, choice, empties;
static int y_before, y_first, y_second;
static _Bool y_first_used, y_second_used;
static _Bool y_first_0, y_second_0, y_first_1, y_second_1, y_first_2, y_second_2, y_first_3, y_second_3;
static void *writes(void *arg) {
    __VERIFIER_atomic_begin();
    y_second = y_first;
    y_first = 1;
    y_second_used = y_first_used;
    y_first_used = (_Bool)1;
    if (y_second_used && y_first_used)
        reach_error();
    y_second_0 = y_first_0;
    y_second_1 = y_first_1;
    y_second_2 = y_first_2;
    y_second_3 = y_first_3;
    y_first_1 = (_Bool)1;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    c = x;
    __VERIFIER_atomic_end();
    FLUSH(1)
    ENDS
}
static void *reads(void *arg) {
    __VERIFIER_atomic_begin();
    x = 1;
    __VERIFIER_atomic_end();
    READ(2, a)
    FLUSH(2)
    ENDS
}
static void *reads_later(void *arg) {
    READ(3, b)
    __VERIFIER_atomic_begin();
    x = 2;
    __VERIFIER_atomic_end();
    FLUSH(3)
    ENDS
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, writes, 0);
    pthread_create(&threads[1], 0, reads, 0);
    pthread_create(&threads[2], 0, reads_later, 0);
    __VERIFIER_atomic_begin();
    all_ended = count == 3;
    __VERIFIER_atomic_end();
    if (!all_ended)
        abort();
    FLUSH(0)
    __VERIFIER_atomic_begin();
    choice = __VERIFIER_nondet_bool();
    a = a_delayed ? (choice ? *a_from : a) : a;
    choice = __VERIFIER_nondet_bool();
    b = b_delayed ? (choice ? *b_from : b) : b;
#ifdef FAILS
    // The write was still in its buffer.
    holds = !(a == 0 && c == 0);
#else
    holds = y == 1 && !(c == 2 && x == 1 && a == 0 && b == 2);
#endif
    __VERIFIER_atomic_end();
    if (!holds)
        reach_error();
    return 0;
}
