// Inputs that decide nothing are the same for all values: where all of them are, everything was explored. An input that is
// read where it matters is not one of them, by whatever way it comes there.
// check: --property no-data-race
// verdict: verified
// check: --property valid-memsafety
// verdict: verified
// check: --property no-data-race -DMATTERS=total==7
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=*pointer==7 -DSETS_OTHER
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=other==7
// verdict: verified
// check: --property no-data-race -DMATTERS=copied()==7
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=table[total&1]
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=10/passed(total)
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=called(total)
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=exchanged()
// verdict: incomplete
// cut: nondeterministic
// check: --property no-data-race -DMATTERS=record.second*last
// verdict: incomplete
// cut: nondeterministic
//
// It is compared with 0 only.
// check: --property no-data-race -DMATTERS=record.second
// verdict: verified
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);

#ifndef MATTERS
#define MATTERS 0
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int total, last, other, table[2];
float mean;
struct {
  int first, second;
} record;
atomic_int slot;
int *volatile pointer = &other;

static int passed(int value) { return value; }
static int (*volatile called)(int) = passed;

static int copied(void) {
  int copy;
  memcpy(&copy, &total, sizeof copy);
  return copy;
}

static int exchanged(void) {
  int expected = total;
  return atomic_compare_exchange_strong(&slot, &expected, 1);
}

static void *add(void *unused) {
  int value = passed(__VERIFIER_nondet_int());
  pthread_mutex_lock(&mutex);
  total = total * 3 + value;
  record.second = value;
  mean = mean / 2 + __VERIFIER_nondet_float();
  last = total - value;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
#ifdef SETS_OTHER
  other = total;
#endif
  if (MATTERS) return 1;
  return 0;
}
