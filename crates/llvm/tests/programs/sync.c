int x; long l; char c; int *p;
int main(void) {
  __sync_synchronize();
  int r = __sync_fetch_and_add(&x, 1) + __sync_add_and_fetch(&l, 2) + __sync_bool_compare_and_swap(&x, 1, 2);
  r += __sync_val_compare_and_swap(&p, 0, &x) != 0;
  r += __sync_lock_test_and_set(&x, 5) + __sync_fetch_and_nand(&x, 3) + __sync_fetch_and_min(&x, 3);
  __sync_lock_release(&x);
  __atomic_store_n(&c, 1, __ATOMIC_RELEASE);
  r += __atomic_exchange_n(&l, 3, __ATOMIC_ACQ_REL) + __atomic_load_n(&c, __ATOMIC_RELAXED);
  int old = 7; __atomic_compare_exchange(&x, &old, &r, 1, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
  return r + __atomic_fetch_nand(&x, 1, __ATOMIC_SEQ_CST) + __atomic_test_and_set(&c, __ATOMIC_SEQ_CST);
}
