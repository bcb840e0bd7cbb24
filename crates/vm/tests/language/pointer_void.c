// Code over void pointers: swapping, reversing and comparing elements of any size.
#include <stdio.h>
#include <string.h>

static void swap(void *a, void *b, size_t size) {
    unsigned char *x = a, *y = b;
    while (size--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

static void reverse(void *array, size_t count, size_t size) {
    char *low = array, *high = low + (count - 1) * size;
    for (; low < high; low += size, high -= size) swap(low, high, size);
}

static size_t find(const void *array, size_t count, size_t size, const void *wanted) {
    size_t i = 0;
    for (const char *p = array; i < count; i++, p += size)
        if (memcmp(p, wanted, size) == 0) break;
    return i;
}

int main(void) {
    int ints[] = {1, 2, 3, 4, 5};
    double doubles[] = {1.5, 2.5, 3.5, 4.5};
    const char *pointers[] = {"x", "y", "z"};
    reverse(ints, 5, sizeof *ints);
    reverse(doubles, 4, sizeof *doubles);
    reverse(pointers, 3, sizeof *pointers);
    for (int i = 0; i < 5; i++) printf("%d ", ints[i]);
    for (int i = 0; i < 4; i++) printf("%g ", doubles[i]);
    for (int i = 0; i < 3; i++) printf("%s ", pointers[i]);
    int two = 2;
    double missing = 9;
    printf("\n%zu %zu\n", find(ints, 5, sizeof *ints, &two), find(doubles, 4, sizeof *doubles, &missing));
    return 0;
}
