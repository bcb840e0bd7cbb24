// Functions that call each other, directly and through pointers; Hofstadter's sequences.
#include <stdbool.h>
#include <stdio.h>

static bool odd(unsigned n);
static bool even(unsigned n) { return n == 0 || odd(n - 1); }
static bool odd(unsigned n) { return n != 0 && even(n - 1); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

typedef struct state { int value; struct state (*next)(struct state); } state;
static state down(state s);
static state up(state s) { return (state){s.value * 3 + 1, down}; }
static state down(state s) {
    state next = {s.value / 2, NULL};
    if (next.value != 1) next.next = next.value % 2 ? up : down;
    return next;
}

int main(void) {
    for (unsigned n = 0; n < 8; n++) printf("%d%d ", even(n), odd(n));
    printf("\n");
    for (int n = 0; n < 15; n++) printf("%d/%d ", female(n), male(n));
    printf("\n");
    int steps = 0;
    for (state s = {27, up}; s.next; steps++) s = s.next(s);
    printf("%d %d\n", steps, even(400));
    return 0;
}
