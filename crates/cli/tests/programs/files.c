// Files in memory: what threads write through one stream or one name is all there; a counter in a file is not one that can be
// relied on without a lock. Complete executions of the first: the orders of two writes.
// check: --races
// verdict: verified
// complete: 2
// check: --leaks
// verdict: verified
// check: -DCOUNTER
// verdict: bug
// bug: assertion
// check: -DCOUNTER -DLOCK --races
// verdict: verified
// check: -DCLOSED
// verdict: bug
// bug: use-after-free
// check: -DDEVICE
// verdict: error
// message: files in /dev, /proc and /sys are not modelled
// check: -DSCAN
// verdict: error
// message: `fscanf` is not modelled for files
// check: -DDIRECTORY
// verdict: error
// message: the program calls `mkdir`, which is neither defined nor modelled
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *shared;

static void *thread(void *text) {
#if defined COUNTER
    int file = open("counter", O_RDWR), value;
#ifdef LOCK
    pthread_mutex_lock(&mutex);
#endif
    assert(pread(file, &value, sizeof value, 0) == sizeof value);
    value++;
    assert(pwrite(file, &value, sizeof value, 0) == sizeof value);
#ifdef LOCK
    pthread_mutex_unlock(&mutex);
#endif
    close(file);
#else
    fputs(text, shared);
#endif
    return 0;
}

int main(void) {
    pthread_t threads[2];
#if defined COUNTER
    int value = 0, file = open("counter", O_RDWR | O_CREAT, 0600);
    assert(write(file, &value, sizeof value) == sizeof value);
#elif defined DEVICE
    shared = fopen("/dev/random", "r");
#elif defined DIRECTORY
    assert(remove("folder") == -1);
    mkdir("folder", 0700);
#else
    shared = fopen("lines", "w+");
    assert(shared);
#endif
#ifdef SCAN
    int number;
    fscanf(shared, "%d", &number);
#endif
    pthread_create(&threads[0], 0, thread, "one\n");
    pthread_create(&threads[1], 0, thread, "two\n");
#ifdef CLOSED
    fclose(shared);
#endif
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
#if defined COUNTER
    assert(pread(file, &value, sizeof value, 0) == sizeof value && value == 2);
    close(file);
#else
    char text[16] = "";
    rewind(shared);
    assert(fread(text, 1, sizeof text, shared) == 8);
    assert(!strcmp(text, "one\ntwo\n") || !strcmp(text, "two\none\n"));
    fclose(shared);
#endif
}
