// The __sync builtins, in all widths.
#include <stdint.h>
#include <stdio.h>

#define EXERCISE(type, format) do { \
        type x = 100; \
        printf(format " ", (type)__sync_fetch_and_add(&x, 50)); \
        printf(format " ", (type)__sync_add_and_fetch(&x, 50)); \
        printf(format " ", (type)__sync_fetch_and_sub(&x, 120)); \
        printf(format " ", (type)__sync_sub_and_fetch(&x, 100)); \
        printf(format " ", (type)__sync_fetch_and_or(&x, 0x0f)); \
        printf(format " ", (type)__sync_and_and_fetch(&x, 0x3c)); \
        printf(format " ", (type)__sync_xor_and_fetch(&x, 0x55)); \
        printf("%d ", __sync_bool_compare_and_swap(&x, x, 7)); \
        printf("%d ", __sync_bool_compare_and_swap(&x, 8, 9)); \
        printf(format " ", (type)__sync_val_compare_and_swap(&x, 7, 11)); \
        printf(format " ", (type)__sync_val_compare_and_swap(&x, 7, 12)); \
        printf(format " ", (type)__sync_lock_test_and_set(&x, 1)); \
        printf(format " ", x); \
        __sync_lock_release(&x); \
        printf(format "\n", x); \
    } while (0)

int main(void) {
    EXERCISE(int8_t, "%d");
    EXERCISE(uint8_t, "%u");
    EXERCISE(int16_t, "%d");
    EXERCISE(uint32_t, "%u");
    EXERCISE(long, "%ld");
    EXERCISE(unsigned long long, "%llu");
    int cell = 5, *p = &cell;
    printf("%d\n", __sync_bool_compare_and_swap(&p, &cell, NULL));
    __sync_synchronize();
    printf("%d\n", p == NULL);
    return 0;
}
