// All operations of stdatomic.h, by one thread.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct pair { int a, b; };
static atomic_int counter = 5;
static _Atomic unsigned char small = 250;
static _Atomic(struct pair) both;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static int cells[4] = {10, 20, 30, 40};
static _Atomic(int *) cursor = cells;

int main(void) {
    atomic_store(&counter, 10);
    int old = atomic_fetch_add(&counter, 5), now = atomic_load_explicit(&counter, memory_order_acquire);
    printf("%d %d\n", old, now);
    old = atomic_fetch_sub_explicit(&counter, 3, memory_order_relaxed);
    printf("%d %d\n", old, counter);
    old = atomic_fetch_or(&counter, 0x30);
    int second = atomic_fetch_and(&counter, 0x1c), third = atomic_fetch_xor(&counter, 0xff);
    printf("%d %d %d %d\n", old, second, third, counter);
    int expected = 1;
    bool done = atomic_compare_exchange_strong(&counter, &expected, 99);
    printf("%d %d %d\n", done, expected, counter);
    done = atomic_compare_exchange_strong(&counter, &expected, 99);
    printf("%d %d %d\n", done, expected, counter);
    old = atomic_exchange(&counter, -1);
    printf("%d %d\n", old, counter++);
    counter += 7, counter |= 1, counter--;
    printf("%d\n", counter);
    small += 10;
    small--;
    printf("%d\n", small);
    atomic_store(&both, ((struct pair){1, 2}));
    struct pair p = atomic_exchange(&both, ((struct pair){3, 4})), q = both;
    printf("%d %d %d %d\n", p.a, p.b, q.a, q.b);
    bool first = atomic_flag_test_and_set(&flag), again = atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    printf("%d %d %d\n", first, again, atomic_flag_test_and_set(&flag));
    int *at = atomic_fetch_add(&cursor, 2);
    printf("%d %d\n", *at, *cursor);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acq_rel);
    atomic_long local;
    atomic_init(&local, 1L << 40);
    printf("%ld\n", atomic_fetch_add(&local, 1) + atomic_load(&local));
    return 0;
}
