// A spin lock that sleeps between two tries, for longer and longer, or waits for no file at all. It is as if it did not: one complete
// execution for each order of the two threads.
// check: -DHOW=0
// verdict: verified
// complete: 2
// check: -DHOW=1
// verdict: verified
// complete: 2
// check: -DHOW=2
// verdict: verified
// complete: 2
// check: -DHOW=3
// verdict: verified
// complete: 2
// Files are not waited for.
// check: -DHOW=4
// verdict: error
// message: the program calls `poll` for files
// check: -DHOW=5
// verdict: error
// message: the program calls `select` for files
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/select.h>
#include <time.h>

static atomic_int locked;
static int count;

static void pause_for(int tries) {
#if HOW == 0
    struct timespec pause = {0};
    pause.tv_nsec = tries;
    nanosleep(&pause, 0);
#elif HOW == 1
    if (tries % 10 == 9)
        poll(0, 0, tries);
#elif HOW == 2
    struct timeval pause = {.tv_usec = tries};
    select(0, 0, 0, 0, &pause);
#elif HOW == 3
    for (int i = 0; i < tries; i++)
        __asm__ volatile("" : : : "memory");
#elif HOW == 4
    struct pollfd file = {0};
    poll(&file, 1, tries);
#elif HOW == 5
    fd_set files;
    FD_ZERO(&files);
    select(1, &files, 0, 0, 0);
#endif
}

static void *add(void *unused) {
    unsigned pause = 1;
    while (atomic_exchange(&locked, 1)) {
        pause_for(pause);
        pause <<= pause < 1024;
    }
    count++;
    atomic_store(&locked, 0);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, add, 0);
#if HOW >= 4
    pause_for(1);
#endif
    add(0);
    pthread_join(other, 0);
    assert(count == 2);
}
