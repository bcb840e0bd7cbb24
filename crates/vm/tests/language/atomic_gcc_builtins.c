// The __atomic builtins with every ordering, generic forms, and structs.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct odd { _Alignas(8) char bytes[8]; };

int main(void) {
    uint32_t x = 7;
    __atomic_store_n(&x, 20, __ATOMIC_RELEASE);
    printf("%u ", __atomic_load_n(&x, __ATOMIC_ACQUIRE));
    printf("%u ", __atomic_exchange_n(&x, 30, __ATOMIC_ACQ_REL));
    printf("%u ", __atomic_add_fetch(&x, 5, __ATOMIC_RELAXED));
    printf("%u ", __atomic_sub_fetch(&x, 40, __ATOMIC_SEQ_CST));
    printf("%u ", __atomic_and_fetch(&x, 0xffff, __ATOMIC_RELAXED));
    printf("%u ", __atomic_fetch_nand(&x, 0x0ff0, __ATOMIC_RELAXED));
    printf("%u ", __atomic_or_fetch(&x, 1, __ATOMIC_CONSUME));
    printf("%x\n", __atomic_xor_fetch(&x, 0x10, __ATOMIC_RELAXED));
    uint32_t expected = x, wanted = 3;
    bool done = __atomic_compare_exchange(&x, &expected, &wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
    printf("%d %u\n", done, x);
    expected = 4;
    done = __atomic_compare_exchange_n(&x, &expected, 5, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    printf("%d %u %u\n", done, x, expected);
    struct odd from = {"1234567"}, to, last = {"abcdefg"};
    __atomic_store(&to, &from, __ATOMIC_SEQ_CST);
    __atomic_exchange(&to, &last, &from, __ATOMIC_SEQ_CST);
    __atomic_load(&to, &last, __ATOMIC_SEQ_CST);
    printf("%s %s %s\n", from.bytes, to.bytes, last.bytes);
    bool flag = false;
    printf("%d", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    printf("%d", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    printf("%d\n", flag);
    int8_t small = 127;
    printf("%d\n", __atomic_fetch_add(&small, 1, __ATOMIC_SEQ_CST));
    printf("%d\n", small);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return 0;
}
