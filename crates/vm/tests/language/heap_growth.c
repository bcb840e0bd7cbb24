// malloc, calloc, realloc in a growing vector, aligned allocation, free of null.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vector { int *data; size_t length, capacity; };

static void push(struct vector *v, int value) {
    if (v->length == v->capacity) {
        v->capacity = v->capacity ? v->capacity * 2 : 1;
        v->data = realloc(v->data, v->capacity * sizeof *v->data);
    }
    v->data[v->length++] = value;
}

int main(void) {
    struct vector v = {NULL, 0, 0};
    for (int i = 0; i < 100; i++) push(&v, i * i);
    long sum = 0;
    for (size_t i = 0; i < v.length; i++) sum += v.data[i];
    printf("%zu %zu %ld %d\n", v.length, v.capacity, sum, v.data[99]);
    v.data = realloc(v.data, 10 * sizeof *v.data);
    printf("%d\n", v.data[9]);
    free(v.data);
    int *zeroed = calloc(20, sizeof *zeroed);
    for (int i = 0; i < 20; i++) sum += zeroed[i];
    printf("%ld\n", sum);
    free(zeroed);
    free(NULL);
    double *aligned = aligned_alloc(64, 128);
    aligned[15] = 2.5;
    printf("%d %g\n", (int)((uintptr_t)aligned % 64), aligned[15]);
    free(aligned);
    void *p = NULL;
    int error = posix_memalign(&p, 32, 100);
    printf("%d %d\n", error, (int)((uintptr_t)p % 32));
    free(p);
    char *text = malloc(4), *other = malloc(4);
    strcpy(text, "abc");
    strcpy(other, text);
    text = realloc(text, 1000);
    printf("%s %s %d\n", text, other, text != other);
    free(text);
    free(other);
    return 0;
}
