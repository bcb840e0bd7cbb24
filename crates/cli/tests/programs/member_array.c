// An index outside of an array that is part of an object stays inside of the object, and is wrong all the same. An array at
// the end of a structure may be longer than it says.
// check:
// verdict: bug
// bug: out-of-bounds
// check: -DI=3
// verdict: verified
// check: -DLAST
// verdict: verified
#include <assert.h>
#include <stdlib.h>

#ifndef I
#define I 4
#endif

struct queue {
    int slots[4];
    int tail;
};

struct message {
    int length;
    char text[1];
};

int main(int argc, char **argv) {
#ifdef LAST
    struct message *message = malloc(sizeof *message + 8);
    message->text[argc + 4] = 'x';
    free(message);
#else
    struct queue queue = {{0}, 7};
    int index = I - 1 + argc;
    queue.slots[index] = 1;
    assert(queue.tail == 7);
#endif
    return 0;
}
