// A barrier for all threads that only newer systems have: here is none, and the program has to do without.
// check:
// verdict: verified
// assumed: `membarrier`
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    assert(syscall(SYS_membarrier, 0, 0) == -1 && errno == ENOSYS);
}
