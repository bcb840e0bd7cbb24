#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int ready;
static atomic_int n;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static void hello(void) { puts("once"); }
static int thread(void *argument) {
    call_once(&flag, hello);
    tss_set(key, argument);
    while (atomic_flag_test_and_set(&spin)) thrd_yield();
    atomic_fetch_add(&n, 3);
    atomic_flag_clear(&spin);
    mtx_lock(&m);
    ready++;
    cnd_signal(&c);
    mtx_unlock(&m);
    return (int)(long)tss_get(key);
}
int main(void) {
    thrd_t a, b;
    int x, y;
    mtx_init(&m, mtx_plain), cnd_init(&c), tss_create(&key, 0);
    thrd_create(&a, thread, (void *)7L), thrd_create(&b, thread, (void *)8L);
    mtx_lock(&m);
    while (ready < 2) cnd_wait(&c, &m);
    mtx_unlock(&m);
    thrd_join(a, &x), thrd_join(b, &y);
    printf("%d %d %d\n", x, y, atomic_load(&n));
    int e = 6;
    printf("%d ", atomic_compare_exchange_strong(&n, &e, 20));
    printf("%d %d %d %d\n", atomic_exchange(&n, 1), atomic_fetch_or(&n, 6), atomic_fetch_and(&n, 3), atomic_load(&n));
    long v = 5;
    printf("%ld %ld %d\n", __sync_fetch_and_add(&v, 2), __sync_add_and_fetch(&v, 1), __sync_bool_compare_and_swap(&v, 8, 9));
    mtx_destroy(&m), cnd_destroy(&c);
    return 0;
}
