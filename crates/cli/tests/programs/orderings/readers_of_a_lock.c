// Readers of a read-write lock do not synchronise with each other, in whatever order they come; writers do with each other, and
// with readers.
// check:
// verdict: bug
// bug: assertion
// check: -DFIRST=pthread_rwlock_wrlock
// verdict: verified
// check: -DTHEN=pthread_rwlock_wrlock
// verdict: verified
// check: -DFIRST=pthread_rwlock_wrlock -DTHEN=pthread_rwlock_wrlock
// verdict: verified
//
// A reader that comes between does not hide the writer.
// check: -DFIRST=pthread_rwlock_wrlock -DBETWEEN
// verdict: verified
// check: -DTHEN=pthread_rwlock_wrlock -DBETWEEN
// verdict: verified
// check: -DBETWEEN
// verdict: bug
// bug: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIRST
#define FIRST pthread_rwlock_rdlock
#endif
#ifndef THEN
#define THEN pthread_rwlock_rdlock
#endif

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
atomic_int data, turn;

void is_turn(int n) {
    while (atomic_load_explicit(&turn, memory_order_relaxed) != n)
        ;
}

void give_turn(int n) {
    atomic_store_explicit(&turn, n, memory_order_relaxed);
}

void *first(void *unused) {
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    FIRST(&lock);
    pthread_rwlock_unlock(&lock);
    give_turn(1);
    return NULL;
}

void *between(void *unused) {
    is_turn(1);
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    give_turn(2);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, first, NULL);
#ifdef BETWEEN
    pthread_create(&other, NULL, between, NULL);
    is_turn(2);
#else
    is_turn(1);
#endif
    THEN(&lock);
    pthread_rwlock_unlock(&lock);
    assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    pthread_join(one, NULL);
#ifdef BETWEEN
    pthread_join(other, NULL);
#endif
}
