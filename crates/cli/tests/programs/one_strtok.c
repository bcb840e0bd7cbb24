// `strtok` goes on where the last call has ended, whichever thread that was: two threads that use it race, although each has a text of
// its own. With a lock they go on in each other's texts.
// check: --races
// verdict: bug
// bug: data-race
// check: -DLOCKED
// verdict: bug
// bug: assertion
// check: -DREENTRANT
// verdict: verified
// complete: 1
#include <assert.h>
#include <pthread.h>
#include <string.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static char *next(char *text, char **rest) {
#ifdef REENTRANT
    return strtok_r(text, " ", rest);
#else
    (void)rest;
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    char *found = strtok(text, " ");
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
    return found;
#endif
}

static void *split(void *text) {
    char *rest = 0;
    char *first = next(text, &rest), *second = next(0, &rest);
    assert(first && second == first + 2);
    return 0;
}

int main(void) {
    char one[] = "a b", two[] = "c d";
    pthread_t thread;
    pthread_create(&thread, 0, split, one);
    split(two);
    pthread_join(thread, 0);
}
