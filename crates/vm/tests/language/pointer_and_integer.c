// Pointers as integers and back; tags in low bits; differences as integers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int table[4] = {10, 20, 30, 40};

static uintptr_t tag(void *p, unsigned bits) { return (uintptr_t)p | bits; }
static void *untag(uintptr_t tagged) { return (void *)(tagged & ~(uintptr_t)7); }

int main(void) {
    uintptr_t base = (uintptr_t)table;
    printf("%d %d\n", *(int *)base, *(int *)(base + 2 * sizeof(int)));
    printf("%d\n", (int)((uintptr_t)&table[3] - base));
    long *heap = malloc(4 * sizeof *heap);
    for (int i = 0; i < 4; i++) heap[i] = i * 100;
    uintptr_t tagged = tag(heap, 5);
    printf("%d %ld\n", (int)(tagged & 7), ((long *)untag(tagged))[3]);
    printf("%d %d\n", (uintptr_t)heap % 8 == 0, (void *)heap == untag(tagged));
    intptr_t signed_address = (intptr_t)&heap[2];
    signed_address -= sizeof(long);
    printf("%ld\n", *(long *)signed_address);
    uintptr_t a = (uintptr_t)&table[0], b = (uintptr_t)&table[1], x = a ^ b;
    printf("%d\n", *(int *)(x ^ a));
    void *null = NULL;
    printf("%d %d\n", (uintptr_t)null == 0, null == (void *)0);
    unsigned char parts[sizeof(void *)];
    for (size_t i = 0; i < sizeof parts; i++) parts[i] = (unsigned char)(base >> (8 * i));
    uintptr_t again = 0;
    for (size_t i = sizeof parts; i-- > 0;) again = again << 8 | parts[i];
    printf("%d\n", *(int *)again);
    free(heap);
    return 0;
}
