// main without a return statement returns 0; what is registered runs after it.
#include <stdio.h>
#include <stdlib.h>

static void bye(void) { printf("bye\n"); }

int main(void) {
    if (atexit(bye) != 0) return 1;
    printf("hello\n");
}
