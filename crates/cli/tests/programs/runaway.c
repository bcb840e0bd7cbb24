// What grows without end is stopped, and the verdict says so: memory, threads.
// check: -DALLOCATES --max-memory 300M
// verdict: incomplete
// bug: step-limit
// cut: MiB of memory
// check: -DSTARTS
// verdict: incomplete
// bug: step-limit
// message: more than 1000 threads
// failed: 0
// check: -DCALLS
// verdict: bug
// bug: stack-overflow
#include <pthread.h>
#include <stdlib.h>

static void *starts(void *unused) {
    pthread_t thread;
    pthread_create(&thread, 0, starts, 0);
    pthread_create(&thread, 0, starts, 0);
    return 0;
}

static int calls(int depth) {
    return calls(depth + 1) + 1;
}

int main(void) {
#ifdef ALLOCATES
    for (;;) {
        char *memory = malloc(1 << 20);
        memory[0] = 1;
    }
#elif defined STARTS
    starts(0);
#else
    return calls(0);
#endif
    return 0;
}
