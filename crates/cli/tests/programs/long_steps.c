// Loops between steps that change the same memory again and again: only what was there before the step is kept, and going
// back comes to that. Complete executions: the orders of two exchanges of each of two threads, 4! / (2! * 2!); the assertions
// hold only if each execution starts from what the last step left.
// check:
// verdict: verified
// complete: 6
// check: --algorithm graphs --memory-model rc11
// verdict: verified
// complete: 6
// check: -DLIBRARY
// verdict: verified
// complete: 6
// check: -DMUTEXES
// verdict: verified
// complete: 6
// What is written and set back is a write, though nothing is left of it, and another thread that has waited for something
// earlier only may be reading.
// check: -DSET_BACK --memory-model rc11
// verdict: bug
// bug: data-race
// check: -DSET_BACK -DRELEASED --memory-model rc11
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3000 };
static atomic_int x;

#ifdef SET_BACK
static int *_Atomic known;
static atomic_int early;

static void *reader(void *_) {
    if (atomic_load(&early) == 1) {
        int *number = atomic_load_explicit(&known, memory_order_relaxed);
#ifdef RELEASED
        atomic_thread_fence(memory_order_acquire);
#endif
        if (number) assert(number[0] == 0);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    int *number = malloc(2 * sizeof(int));
    number[0] = number[1] = 0;
    atomic_store(&early, 1);
    for (int i = 0; i < ROUNDS; i++) {
        number[0] = i;
        number[0] = 0;
    }
    for (int i = 0; i < 3 * ROUNDS; i++) number[1] = i;
#ifdef RELEASED
    atomic_store_explicit(&known, number, memory_order_release);
#else
    atomic_store_explicit(&known, number, memory_order_relaxed);
#endif
    pthread_join(thread, 0);
    free(number);
}
#else
struct record {
    char text[32];
    int counts[4];
};

static void churn(struct record *record, int start) {
    for (int i = 0; i < ROUNDS; i++) {
#if defined LIBRARY
        char text[32];
        assert(snprintf(text, sizeof text, "%d", i) == (int)strlen(text));
        memcpy(record->text, text, sizeof text);
        assert(atoi(record->text) == i);
        record->counts[0] = start + i + 1;
#elif defined MUTEXES
        record->counts[0]++;
#else
        record->counts[i % 4]++;
        record->text[i % 32] = (char)i;
#endif
    }
}

static int sum(const struct record *record) {
    return record->counts[0] + record->counts[1] + record->counts[2] + record->counts[3];
}

static void *thread(void *_) {
    struct record record = {{0}, {0}};
    churn(&record, 0);
    assert(sum(&record) == ROUNDS);
    atomic_exchange(&x, 1);
    churn(&record, ROUNDS);
    assert(sum(&record) == 2 * ROUNDS);
    atomic_exchange(&x, 2);
    churn(&record, 2 * ROUNDS);
    assert(sum(&record) == 3 * ROUNDS);
    return 0;
}

int main(void) {
#ifdef MUTEXES
    for (int i = 0; i < 3 * ROUNDS; i++) {
        pthread_mutex_t *mutex = malloc(sizeof *mutex);
        if (i % 2) pthread_mutex_init(mutex, 0);
        else memset(mutex, 0, sizeof *mutex);
        assert(pthread_mutex_lock(mutex) == 0);
        pthread_mutex_unlock(mutex);
        if (i % 3) pthread_mutex_destroy(mutex);
        free(mutex);
    }
#endif
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}
#endif
