// Anonymous memory by mmap: zero at first, and gone after munmap.
// check:
// verdict: verified
// check: -DAFTER
// verdict: bug
// bug: use-after-free
#define _GNU_SOURCE
#include <assert.h>
#include <sys/mman.h>

int main(void) {
    int *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED && memory[7] == 0);
    memory[7] = 1;
    assert(munmap(memory, 4096) == 0);
#ifdef AFTER
    return memory[7];
#endif
    return 0;
}
