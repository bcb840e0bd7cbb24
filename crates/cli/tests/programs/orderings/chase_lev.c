// The work-stealing deque of Chase and Lev with the orderings of Lê and others (PPoPP 2013).
// check:
// verdict: verified
// check: -DPUSH_FENCE=memory_order_relaxed
// verdict: bug
// check: -DTAKE_FENCE=memory_order_acq_rel
// verdict: bug
// check: -DSTEAL_FENCE=memory_order_acq_rel
// verdict: bug
// check: -DSTEAL_BOTTOM=memory_order_relaxed
// verdict: bug
//
// To look at the top may be relaxed, because the fence after it acquires what the load has read.
// check: -DSTEAL_TOP=memory_order_relaxed
// verdict: verified
//
// So may the exchanges of the top here. That only one of them takes a task is due to their being atomic, and what is in
// the task was acquired with the bottom. Nothing is passed on by the top.
// That is so in this client; in a deque whose slots are used again, an exchange that releases keeps the read of a slot from
// seeing what is pushed there later. Under rc11 it cannot see that in any case, as there is no load buffering.
// check: -DTAKE_CAS=memory_order_relaxed
// verdict: verified
// check: -DSTEAL_CAS=memory_order_relaxed
// verdict: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUSH_FENCE
#define PUSH_FENCE memory_order_release
#endif
#ifndef TAKE_FENCE
#define TAKE_FENCE memory_order_seq_cst
#endif
#ifndef STEAL_FENCE
#define STEAL_FENCE memory_order_seq_cst
#endif
#ifndef STEAL_TOP
#define STEAL_TOP memory_order_acquire
#endif
#ifndef STEAL_BOTTOM
#define STEAL_BOTTOM memory_order_acquire
#endif
#ifndef TAKE_CAS
#define TAKE_CAS memory_order_seq_cst
#endif
#ifndef STEAL_CAS
#define STEAL_CAS memory_order_seq_cst
#endif

#define SIZE 4
struct task {
    int taken;
} tasks[2];
_Atomic(struct task *) items[SIZE];
atomic_int top, bottom;

static void push(struct task *task) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_store_explicit(&items[b % SIZE], task, memory_order_relaxed);
    atomic_thread_fence(PUSH_FENCE);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static struct task *take(void) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(TAKE_FENCE);
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    struct task *task = 0;
    if (t <= b) {
        task = atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
        if (t != b)
            return task;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, TAKE_CAS, memory_order_relaxed))
            task = 0;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return task;
}

static struct task *steal(void) {
    int t = atomic_load_explicit(&top, STEAL_TOP);
    atomic_thread_fence(STEAL_FENCE);
    int b = atomic_load_explicit(&bottom, STEAL_BOTTOM);
    if (t >= b)
        return 0;
    struct task *task = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, STEAL_CAS, memory_order_relaxed))
        return 0;
    return task;
}

static void run(struct task *task) {
    if (task)
        assert(task->taken++ == 0);
}

static void *own(void *unused) {
    for (int i = 0; i < 2; i++) {
        tasks[i].taken = 0;
        push(&tasks[i]);
    }
    run(take());
    run(take());
    return 0;
}

static void *thief(void *unused) {
    run(steal());
    run(steal());
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, own, (void *)0);
    pthread_create(&b, 0, thief, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
