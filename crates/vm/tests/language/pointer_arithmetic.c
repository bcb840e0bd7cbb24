// Adding, subtracting, comparing, stepping through arrays in both directions.
#include <stddef.h>
#include <stdio.h>

static long data[10] = {5, 3, 8, 1, 9, 2, 7, 4, 6, 0};

static const long *largest(const long *from, const long *to) {
    const long *best = from;
    while (++from < to)
        if (*from > *best) best = from;
    return best;
}

int main(void) {
    long *begin = data, *end = data + 10;
    printf("%td %ld %td\n", end - begin, *largest(begin, end), largest(begin, end) - begin);
    for (long *p = end; p-- > begin;) printf("%ld ", *p);
    printf("\n");
    long *p = &data[3];
    printf("%ld %ld\n", p[-1], *(p + 2));
    long before = *p++, after = *++p;
    printf("%ld %ld\n", before, after);
    p -= 2;
    *p++ += 10;
    (*p)++;
    printf("%ld %ld\n", data[3], data[4]);
    char *bytes = (char *)data;
    printf("%td %ld\n", bytes + 16 - (char *)&data[2], *(long *)(bytes + 5 * sizeof(long)));
    printf("%d %d %d %d\n", begin < end, begin == &data[0], end - 1 >= &data[9], !p);
    ptrdiff_t back = begin - end;
    printf("%td\n", back);
    return 0;
}
