#include <stdatomic.h>
#include <stdbool.h>
atomic_int i; atomic_bool b; _Atomic(int *) p; atomic_ulong u; atomic_flag flag = ATOMIC_FLAG_INIT; _Atomic double d;
struct pair { int a, b; }; _Atomic struct pair pair; unsigned __int128 sixteen;
int target;
int main(void) {
  atomic_store_explicit(&i, 1, memory_order_release);
  int r = atomic_load_explicit(&i, memory_order_acquire) + atomic_exchange(&i, 3);
  r += atomic_fetch_or(&i, 8) + atomic_fetch_xor(&i, 1) + atomic_fetch_and(&i, 7) + atomic_fetch_sub(&u, 1);
  int expected = 4;
  bool ok = atomic_compare_exchange_weak_explicit(&i, &expected, 5, memory_order_acq_rel, memory_order_relaxed);
  atomic_store(&p, &target); atomic_fetch_add(&p, sizeof(int));
  d += 1.5; i *= 3; b = true;
  struct pair q = pair; q.a++; pair = q;
  while (atomic_flag_test_and_set(&flag)) ;
  atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire);
  return r + ok + atomic_load(&b);
}
