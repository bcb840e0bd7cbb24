// Builtins: stack allocation, copies, constants, choices, sizes of objects, prefetching, barriers for the compiler.
#include <stdio.h>
#include <string.h>

static int sum(int n) {
    int *numbers = __builtin_alloca((unsigned long)n * sizeof *numbers), total = 0;
    for (int i = 0; i < n; i++) numbers[i] = i * i;
    __asm__ __volatile__("" ::: "memory");
    for (int i = 0; i < n; i++) __builtin_prefetch(&numbers[i]), total += numbers[i];
    return total;
}

int main(void) {
    printf("%d %d %d\n", sum(1), sum(10), sum(100));
    char a[8], *b = __builtin_assume_aligned(a, 1);
    __builtin_memset(a, 0, sizeof a);
    __builtin_memcpy(a, "xyz", 3);
    __builtin_strcpy(a + 3, "!");
    printf("%s %zu %d\n", b, __builtin_strlen(a), __builtin_memcmp(a, "xyz", 3));
    printf("%d %d\n", __builtin_constant_p(3 + 4), __builtin_choose_expr(1, 5, "no"));
    printf("%d\n", __builtin_types_compatible_p(int, __typeof__(a[0] + 1)));
    printf("%d\n", (int)__builtin_object_size(a, 0));
    printf("%d %g %g\n", __builtin_abs(-7), __builtin_inf(), __builtin_fabs(-2.5));
    printf("%d %d\n", __builtin_isnan(__builtin_nan("")), __builtin_signbit(-1.0) != 0);
    printf("%u %u\n", __builtin_rotateleft32(0x80000001u, 4), __builtin_rotateright8(0x81, 1));
    printf("%u\n", __builtin_bitreverse8(0x13));
    printf("%d\n", strcmp(__builtin_FUNCTION(), "main"));
    return 0;
}
