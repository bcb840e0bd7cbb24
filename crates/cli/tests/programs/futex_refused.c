// What is not modelled of futex is named.
// check:
// verdict: error
// message: FUTEX_LOCK_PI
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

int word;

int main(void) {
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, 0, 0, 0); // <- bug
    return 0;
}
