// const, volatile, restrict, register, and const at every level of a pointer.
#include <stdio.h>

static volatile int device = 1;
static const int limits[] = {10, 20, 30};
static const volatile unsigned status = 0x55;

static void add(int n, int *restrict to, const int *restrict from) {
    for (int i = 0; i < n; i++) to[i] += from[i];
}

static int poll(volatile int *p) {
    int rounds = 0;
    while (*p < 100) {
        *p = *p * 3;
        rounds++;
    }
    return rounds;
}

int main(void) {
    int values[3] = {1, 2, 3};
    add(3, values, limits);
    printf("%d %d %d\n", values[0], values[1], values[2]);
    printf("%d %d\n", poll(&device), device);
    device++;
    ++device;
    device -= 5;
    printf("%d %x\n", device, status);
    register int fast = 0;
    for (register int i = 0; i < 10; i++) fast += i;
    printf("%d\n", fast);
    const int *pointer_to_const = limits;
    int *const const_pointer = values;
    const char *const both = "both";
    pointer_to_const++;
    *const_pointer = 77;
    printf("%d %d %s\n", *pointer_to_const, values[0], both);
    volatile struct { int a; volatile double b; } s = {1, 2.5};
    s.b *= s.a + 1;
    printf("%d %g\n", s.a, s.b);
    return 0;
}
