// std::barrier of C++20 over several phases. Whoever arrives waits; nobody looks at who was the last one, so there is one execution.
// check: -std=c++20 -DTHREADS=3 -DPHASES=3
// verdict: verified
// complete: 1
// check: -std=c++20 -DTHREADS=3 -DPHASES=3 -O1
// verdict: verified
// complete: 1
// The last thread leaves after the first phase, and is not waited for any more.
// check: -std=c++20 -DTHREADS=4 -DPHASES=3 -DDROPS
// verdict: verified
// complete: 1
// Arriving and waiting may be two things.
// check: -std=c++20 -DTHREADS=3 -DPHASES=2 -DSPLIT
// verdict: verified
// complete: 1
// A thread that leaves without a word is waited for.
// check: -std=c++20 -DTHREADS=3 -DPHASES=2 -DDROPS -DSILENTLY
// verdict: bug
// bug: deadlock
// Somebody else who arrives takes the place of one of them. Then the order of arrivals makes a difference, and some thread waits in vain.
// check: -std=c++20 -DTHREADS=2 -DPHASES=1 -DANOTHER
// verdict: bug
// bug: deadlock
// A completion function is called by the last one, which of two threads is either, in each of four phases. (Meanwhile the other waits.)
// check: -std=c++20 -DTHREADS=2 -DPHASES=2 -DCOMPLETES
// verdict: verified
// complete: 16
// Arriving while it runs, more often than is expected, or waiting for a phase that is long over is an error,
// for the standard does not say what comes of it.
// check: -std=c++20 -DTHREADS=2 -DPHASES=1 -DCOMPLETES -DANOTHER
// verdict: bug
// bug: misuse
// check: -std=c++20 -DTHREADS=2 -DPHASES=1 -DTOO_OFTEN
// verdict: bug
// bug: misuse
// message: which expects only
// check: -std=c++20 -DTHREADS=1 -DPHASES=1 -DTOO_LATE
// verdict: bug
// bug: misuse
// message: for a phase before the last one
#include <barrier>
#include <cassert>
#include <thread>
#include <vector>

static int written[THREADS], completed;

#ifdef COMPLETES
static void complete() noexcept { completed++; }
static std::barrier<void (*)() noexcept> barrier(THREADS, complete);
#else
static std::barrier barrier(THREADS);
#endif

static void work(int thread) {
    for (int phase = 0; phase < PHASES; phase++) {
#ifdef DROPS
        if (thread == THREADS - 1 && phase == 1) {
#ifndef SILENTLY
            barrier.arrive_and_drop();
#endif
            return;
        }
#endif
        written[thread]++;
#ifdef SPLIT
        auto token = barrier.arrive();
        barrier.wait(std::move(token));
#else
        barrier.arrive_and_wait();
#endif
#ifdef COMPLETES
        assert(completed >= phase + 1);
#endif
#ifndef ANOTHER
        assert(written[(thread + 1) % (THREADS - (phase > 0))] >= 1);
#endif
        barrier.arrive_and_wait();
    }
}

int main() {
#ifdef TOO_OFTEN
    (void)barrier.arrive(3);
#elif defined TOO_LATE
    auto early = barrier.arrive();
    (void)barrier.arrive();
    barrier.wait(std::move(early));
#else
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; i++)
        threads.emplace_back(work, i);
#ifdef ANOTHER
    (void)barrier.arrive();
#ifdef COMPLETES
    // All phases come to their ends.
    (void)barrier.arrive();
#endif
#endif
    for (auto &thread : threads)
        thread.join();
#endif
}
